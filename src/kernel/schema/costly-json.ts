import { failField } from '../errors.ts';

/**
 * The number of values and of members of all objects together. Reading more of them would keep the
 * event loop busy for longer than any other caller should wait.
 */
const MAX_VALUES = 40_000;
const MAX_MEMBERS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON_BYTE = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Rejects what would take long to parse: too many values or members, and nesting deeper than
 * `depth`. It walks over the bytes once. They need not be valid JSON.
 * Errors: `invalid_request`.
 */
export function rejectCostlyJson(bytes: Uint8Array, depth: number): void {
  let level = 0;
  let values = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++)
          if (bytes[at] === BACKSLASH) at++;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++level > depth)
          throw failField('/body', `nesting deeper than ${depth} is not accepted. Make it flatter`);
        values++;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        level--;
        break;
      case COMMA:
        values++;
        break;
      case COLON_BYTE:
        members++;
    }
  }
  if (members > MAX_MEMBERS)
    throw failField(
      '/body',
      `more than ${MAX_MEMBERS} members are not accepted. Send less at once`,
    );
  if (values > MAX_VALUES)
    throw failField('/body', `more than ${MAX_VALUES} values are not accepted. Send less at once`);
}
