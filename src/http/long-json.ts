import { setImmediate as nextTurn } from 'node:timers/promises';
import { fail } from '../kernel/errors.ts';
import type { Random } from '../kernel/ids.ts';
import type { LongString } from '../kernel/pipeline/tool-protocol.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes that are looked at before others get their turn: about 2 ms. */
const TURN_BYTES = 1024 * 1024;

/** Where the longest string of some JSON begins and ends, its quotes included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Finds the longest string. Errors: `payload_too_large` with more than `max` bytes beside it. */
async function findLongestString(bytes: Uint8Array, max: number): Promise<Range> {
  let beside = 0;
  let longest: Range = { from: 0, to: 0 };
  let turnEnds = TURN_BYTES;
  for (let at = 0; at < bytes.length; ) {
    const from = at;
    if (bytes[at++] === QUOTE) {
      for (; at < bytes.length && bytes[at] !== QUOTE; at += bytes[at] === BACKSLASH ? 2 : 1) {
        if (at < turnEnds) continue;
        turnEnds = at + TURN_BYTES;
        await nextTurn();
      }
      at++;
    }
    const to = Math.min(at, bytes.length);
    const length = to - from;
    const known = longest.to - longest.from;
    beside += Math.min(length, known);
    if (length > known) longest = { from, to };
    if (beside > max)
      throw fail(
        'payload_too_large',
        `Without its longest string, the message is larger than ${max} bytes. Send less.`,
        { limit: max },
      );
  }
  return longest;
}

/**
 * Takes the longest string out of JSON that has more than `max` bytes, and puts a token in its
 * place. Parsing a file of 10 MiB, as base64 inside of JSON, would stop everybody else. What is
 * left has about `max` bytes at most, and is parsed as any body is. The string is found in turns,
 * and is not parsed at all. Errors: `payload_too_large`.
 */
export async function takeLongString(
  bytes: Buffer,
  max: number,
  random: Random,
): Promise<{ readonly rest: Buffer; readonly longString: LongString | null }> {
  if (bytes.length <= max) return { rest: bytes, longString: null };
  const { from, to } = await findLongestString(bytes, max);
  const token = random(16).toString('hex');
  const rest = Buffer.concat([
    bytes.subarray(0, from),
    Buffer.from(JSON.stringify(token)),
    bytes.subarray(to),
  ]);
  return { rest, longString: { token, escaped: bytes.subarray(from + 1, to - 1) } };
}
