import { failField } from '../errors.ts';
import { rejectCostlyJson } from './costly-json.ts';
import { appendToPointer } from './json-pointer.ts';

/** The maximum nesting depth of a body. */
const MAX_DEPTH = 32;

/**
 * A value that was already serialized by its output schema, such as a page of messages, as text or
 * UTF-8 bytes. It is sent unchanged.
 */
export class RawJson {
  readonly text: string | Buffer;
  constructor(text: string | Buffer) {
    this.text = text;
  }
}

/** Distinguishes the name of a member from a string value. */
const COLON = /\s*:/y;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Rejects repeated members, which JSON.parse accepts. It walks over the text once. The text is
 * known to be valid JSON, so every quote closes.
 */
function rejectDuplicates(text: string): void {
  const stack: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      stack.push(character === '{' ? new Set() : null);
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
        throw failField('/body', `the member ${JSON.stringify(name)} occurs twice. Send it once`);
      members.add(name);
    }
  }
}

/** A fault of a value, and the way to it from the value that was looked at, the last step first. */
interface StorageFault {
  readonly detail: string;
  readonly steps: (string | number)[];
}

/** Finds the first value inside of this one that cannot be stored. */
function findStorageFault(value: unknown): StorageFault | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? undefined
      : { detail: 'the number is beyond what a double can hold', steps: [] };
  if (typeof value === 'string') {
    if (value.includes('\0'))
      return { detail: 'a NUL character is not accepted. Remove it', steps: [] };
    if (!value.isWellFormed())
      return { detail: 'an unpaired surrogate is not accepted', steps: [] };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = findStorageFault(item);
      if (fault) return { ...fault, steps: [...fault.steps, index] };
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const nameFault = findStorageFault(name);
      if (nameFault) return nameFault;
      const fault = findStorageFault(item);
      if (fault) return { ...fault, steps: [...fault.steps, name] };
    }
  }
  return undefined;
}

/**
 * Asserts that a value can be stored and read back. A NUL, an unpaired surrogate and a number that
 * JSON.parse made infinite cannot. The pointer to a fault is built only if there is one.
 * Errors: `invalid_request`.
 */
export function assertStorable(value: unknown, pointer: string): void {
  const fault = findStorageFault(value);
  if (!fault) return;
  const path = fault.steps.reduceRight<string>(
    (before, step) => appendToPointer(before, String(step)),
    pointer,
  );
  throw failField(path, fault.detail);
}

/**
 * Parses JSON. Unlike `parseBody`, it accepts values that cannot be stored. Empty text gives
 * undefined.
 * Errors: `invalid_request`.
 */
export function parseJson(bytes: Uint8Array, depth: number): unknown {
  if (bytes.length === 0) return undefined;
  rejectCostlyJson(bytes, depth);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw failField('/body', 'the body is not valid UTF-8. Send it as UTF-8, not compressed');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failField('/body', 'the body is not valid JSON. Check its quotes, commas and braces');
  }
  rejectDuplicates(text);
  return value;
}

/**
 * Parses a request body. An empty body gives undefined.
 * Errors: `invalid_request`.
 */
export function parseBody(bytes: Uint8Array): unknown {
  const value = parseJson(bytes, MAX_DEPTH);
  assertStorable(value, '/body');
  return value;
}
