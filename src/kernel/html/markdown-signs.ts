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
  return characters;
}
