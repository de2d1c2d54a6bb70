import { fail } from '../kernel/errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Asserts, before JSON is parsed, that at most `max` bytes of it are outside its longest string.
 * Parsing a million members blocks everyone for seconds, a file as one base64 string for a moment.
 * Errors: `payload_too_large`.
 */
export function assertOneLongString(bytes: Uint8Array, max: number): void {
  if (bytes.length <= max) return;
  let beside = 0;
  let longest = 0;
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    if (bytes[at++] === QUOTE) {
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      at++;
    }
    const length = Math.min(at, bytes.length) - start;
    beside += Math.min(length, longest);
    longest = Math.max(length, longest);
    if (beside > max)
      throw fail(
        'payload_too_large',
        `Without its longest string, the message is larger than ${max} bytes. Send less.`,
        { limit: max },
      );
  }
}
