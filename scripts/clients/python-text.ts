/** The widest line of the generated file. */
export const WIDTH = 100;

/** Breaks a text into lines of at most `width` columns. A longer word has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Renders a JSON value as Python. JSON's escapes in strings are Python's, too. */
export function renderLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** Breaks a line that has a long list of literals within the brackets of that list. */
export function wrapLiterals(line: string, indent: string): string {
  if (line.length <= WIDTH) return line;
  return line.replace(/Literal\[([^\]]*)\]/, (_, list: string) => {
    const rows = wrapText(`${list},`, WIDTH - indent.length - 4);
    return `Literal[\n${rows.map((row) => `${indent}    ${row}\n`).join('')}${indent}]`;
  });
}

/** Renders a docstring of paragraphs. One that begins with a name has a deeper second line. */
export function renderDocstring(paragraphs: readonly string[], indent: string): string {
  const lines = paragraphs.flatMap((paragraph, index) => {
    const isArgument = /^\w+: /.test(paragraph);
    const gap =
      index > 0 && !(isArgument && /^\w+: /.test(paragraphs[index - 1] ?? '')) ? [''] : [];
    const wrapped = wrapText(paragraph, WIDTH - indent.length - (isArgument ? 4 : 0));
    return [...gap, ...wrapped.map((line, nr) => (isArgument && nr > 0 ? `    ${line}` : line))];
  });
  const escaped = lines.map((line) => line.replace(/\\/g, '\\\\').replace(/"""/g, '\\"\\"\\"'));
  const [only = ''] = escaped;
  const single = `${indent}"""${only}"""\n`;
  if (escaped.length === 1 && single.length <= WIDTH + 1 && !only.endsWith('"')) return single;
  const body = escaped.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
  return `${indent}"""\n${body}${indent}"""\n`;
}

/** A piece of source: a text, or items between brackets, one a line where they are too wide. */
export type Source =
  | string
  | { readonly open: string; readonly items: readonly Source[]; readonly close: string };

const toLine = (source: Source): string =>
  typeof source === 'string'
    ? source
    : source.open + source.items.map(toLine).join(', ') + source.close;

/** Renders a piece of source as lines. `end` comes after it. */
export function renderSource(source: Source, indent: string, end = ''): string {
  const line = `${indent}${toLine(source)}${end}`;
  if (line.length <= WIDTH) return `${line}\n`;
  if (typeof source === 'string') return `${wrapLiterals(line, indent)}\n`;
  const items = source.items.map((item) => renderSource(item, `${indent}    `, ','));
  return `${indent}${source.open}\n${items.join('')}${indent}${source.close}${end}\n`;
}
