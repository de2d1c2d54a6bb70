/**
 * The signs of Markdown that a line of a list leaves out: emphasis, code, struck text, and the rule
 * below the head of a table. A star between spaces or letters stays: there it means a product.
 */
const signs = new RegExp(
  [
    String.raw`(?<=^|[\s("'[|])\*{1,3}(?=\S)`,
    String.raw`(?<=\S)\*{1,3}(?=$|[\s.,;:!?)\]"'|])`,
    '`+',
    '~~',
    String.raw`(?:\|\s*:?-{3,}:?\s*)+\|?`,
  ].join('|'),
  'g',
);

/** A line of a table (GFM, section 4.10), also one whose beginning or end an excerpt left out. */
const isTableLine = (line: string): boolean =>
  /^[\s\u2026]*\|/.test(line) || line.trimEnd().endsWith('|');

/** Makes the separators between the cells of tables empty. Elsewhere the sign means a pipe. */
function blankSeparators(text: string, characters: string[]): void {
  let at = 0;
  for (const line of text.split('\n')) {
    const inTable = line.includes('|') && isTableLine(line);
    for (const character of line) {
      if (inTable && character === '|') characters[at] = '';
      at += 1;
    }
    at += 1;
  }
}

/**
 * Splits a text into its characters (code points) and makes those of signs of Markdown empty, so
 * that places in the text stay valid.
 */
export function blankSigns(text: string): string[] {
  const characters: string[] = [];
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(signs)) {
    characters.push(...text.slice(done, index), ...Array.from(sign, () => ''));
    done = index + sign.length;
  }
  characters.push(...text.slice(done));
  if (text.includes('|')) blankSeparators(text, characters);
  return characters;
}
