import { failField } from '../errors.ts';
import { appendToPointer } from './json-pointer.ts';

/** Of a body. */
const MAX_DEPTH = 32;

/**
 * A value that was serialized against its output schema already (a page of messages), as text or in
 * UTF-8: sent as it stands.
 */
export class RawJson {
  readonly text: string | Buffer;
  constructor(text: string | Buffer) {
    this.text = text;
  }
}

/** Tells a member's name from a value. */
const COLON = /\s*:/y;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * One walk over the text for what JSON.parse lets pass: nesting beyond 32 and members that stand
 * twice. The text is known to be valid JSON by then, so a quote always closes.
 */
function rejectDeepOrDuplicate(text: string, depth: number): void {
  const stack: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      if (stack.push(character === '{' ? new Set() : null) > depth)
        throw failField('/body', `nesting deeper than ${depth} is not accepted`);
    } else if (character === '}' || character === ']') {
      stack.pop();
    } else if (character === '"') {
      const start = at;
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
      const members = stack.at(-1);
      COLON.lastIndex = at + 1;
      if (!members || !COLON.test(text)) continue;
      const name = JSON.parse(text.slice(start, at + 1)) as string;
      if (members.has(name))
        throw failField('/body', `the member ${JSON.stringify(name)} stands twice`);
      members.add(name);
    }
  }
}

/**
 * Refuses what cannot be kept and read back: a NUL, an unpaired surrogate, a number that JSON.parse
 * made infinite.
 */
export function assertStorable(value: unknown, pointer: string): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw failField(pointer, 'the number is beyond what a double can hold');
  if (typeof value === 'string') {
    if (value.includes('\0')) throw failField(pointer, 'a NUL character is not accepted');
    if (!value.isWellFormed()) throw failField(pointer, 'an unpaired surrogate is not accepted');
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertStorable(item, `${pointer}/${index}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      assertStorable(name, pointer);
      assertStorable(item, appendToPointer(pointer, name));
    }
  }
}

/**
 * Reads JSON, but lets values be that cannot be kept. Empty text is undefined. Errors:
 * `invalid_request` with what is wrong.
 */
export function parseJson(bytes: Uint8Array, depth: number): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw failField('/body', 'the body is not valid UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failField('/body', 'the body is not valid JSON');
  }
  rejectDeepOrDuplicate(text, depth);
  return value;
}

/**
 * Parses a request body. An empty body is undefined. Errors: `invalid_request` with what is wrong.
 */
export function parseBody(bytes: Uint8Array): unknown {
  const value = parseJson(bytes, MAX_DEPTH);
  assertStorable(value, '/body');
  return value;
}
