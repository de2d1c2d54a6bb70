import { fail } from '../kernel/errors.ts';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Refuses JSON that is long by anything but its longest string, before it is parsed: a million members take seconds of everyone's time, a
 * file as base64 takes a moment. `most`: bytes beside that string. Errors: `payload_too_large`.
 */
export function assertLongByOneString(bytes: Uint8Array, most: number): void {
  if (bytes.length <= most) return;
  let [beside, longest, at] = [0, 0, 0];
  while (at < bytes.length) {
    const start = at;
    if (bytes[at++] === QUOTE) {
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      at++;
    }
    const length = Math.min(at, bytes.length) - start;
    beside += Math.min(length, longest);
    longest = Math.max(length, longest);
    if (beside > most)
      throw fail(
        'payload_too_large',
        `Beside its longest string the message is larger than ${most} bytes. Send less.`,
        { limit: most },
      );
  }
}
