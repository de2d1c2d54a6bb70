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

/** Renders a docstring of paragraphs. A paragraph that begins with a name has a deeper second line. */
export function renderDocstring(paragraphs: readonly string[], indent: string): string {
  const lines = paragraphs.flatMap((paragraph, index) => {
    const isArgument = /^\w+: /.test(paragraph);
    const gap = index > 0 && !(isArgument && /^\w+: /.test(paragraphs[index - 1] ?? '')) ? [''] : [];
    const wrapped = wrapText(paragraph, WIDTH - indent.length - (isArgument ? 4 : 0));
    return [
      ...gap,
      ...wrapped.map((line, nr) => (isArgument && nr > 0 ? `    ${line}` : line)),
    ];
  });
  const escaped = lines.map((line) => line.replace(/\\/g, '\\\\').replace(/"""/g, '\\"\\"\\"'));
  const [only = ''] = escaped;
  const single = `${indent}"""${only}"""\n`;
  if (escaped.length === 1 && single.length <= WIDTH + 1 && !only.endsWith('"')) return single;
  const body = escaped.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
  return `${indent}"""\n${body}${indent}"""\n`;
}

/** Renders a call or a declaration on one line, or one argument a line where that is too wide. */
export function renderArguments(
  head: string,
  list: readonly string[],
  tail: string,
  indent: string,
): string {
  const line = `${indent}${head}${list.join(', ')}${tail}`;
  if (line.length <= WIDTH && !line.includes('\n')) return `${line}\n`;
  const lines = list.map((one) => `${indent}    ${one.replace(/\n/g, `\n    `)},\n`).join('');
  return `${indent}${head}\n${lines}${indent}${tail}\n`;
}
