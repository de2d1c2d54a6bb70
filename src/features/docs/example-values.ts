/** Source code that a value contains without quotes, such as the name of a variable. */
export class SourceText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How a programming language writes values. */
export interface Syntax {
  readonly key: (name: string) => string;
  readonly text: (text: string) => string;
  /** What stands for null, true and false. */
  readonly words: Readonly<Record<'null' | 'true' | 'false', string>>;
  /** Spaces around the members of an object in one line. */
  readonly padding: string;
}

/** Quotes a text by single quotes where nothing need be escaped. */
const quoteSingly = (text: string): string => {
  const quoted = JSON.stringify(text);
  return /[\\']/.test(quoted) ? quoted : `'${text}'`;
};

export const typescript: Syntax = {
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoteSingly(name)),
  text: quoteSingly,
  words: { null: 'null', true: 'true', false: 'false' },
  padding: ' ',
};

/** JSON's escapes in strings are Python's, too. */
export const python: Syntax = {
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  words: { null: 'None', true: 'True', false: 'False' },
  padding: '',
};

/** The widest line that an example has on a page without a scroll bar. */
const WIDTH = 76;

/** The indentation of a list of items, and the space inside its brackets. */
interface ItemStyle {
  readonly indent?: string;
  /** The columns of the line before the items, besides its indent. */
  readonly lead?: number;
  readonly padding?: string;
}

/** Writes items between brackets, one a line where they are too many for one. */
export function renderItems(
  open: string,
  items: readonly ((indent: string) => string)[],
  close: string,
  { indent = '', lead = 0, padding = '' }: ItemStyle = {},
): string {
  if (items.length === 0) return open + close;
  const line = `${open}${padding}${items.map((item) => item('')).join(', ')}${padding}${close}`;
  if (!line.includes('\n') && indent.length + lead + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  return `${open}\n${items.map((item) => `${inner}${item(inner)},\n`).join('')}${indent}${close}`;
}

/** Writes a value of JSON in a programming language, after `lead` columns of its first line. */
export function renderValue(value: unknown, syntax: Syntax, indent = '', lead = 0): string {
  const render = (one: unknown) => (inner: string) => renderValue(one, syntax, inner);
  if (value instanceof SourceText) return value.text;
  if (typeof value === 'string') return syntax.text(value);
  if (value === null) return syntax.words.null;
  if (typeof value === 'boolean') return syntax.words[value ? 'true' : 'false'];
  const style = { indent, lead, padding: '' };
  if (Array.isArray(value)) return renderItems('[', value.map(render), ']', style);
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).map(
    ([name, one]) =>
      (inner: string) =>
        `${syntax.key(name)}: ${render(one)(inner)}`,
  );
  return renderItems('{', members, '}', { ...style, padding: syntax.padding });
}
