import { randomBytes } from 'node:crypto';
import { v4, v7 } from 'uuid';
import type { Clock } from './clock.ts';

/** The UUID before all others, where a walk over ids begins. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** A new UUIDv7 (RFC 9562): ids sort by creation. */
export type NewId = () => string;

/** Random bytes from the operating system, injected like the clock. */
export type Random = (bytes: number) => Buffer;

export const systemRandom: Random = (bytes) => randomBytes(bytes);

/** A new random UUID, which nobody can guess. It does not sort. */
export const createRandomUuid = (): string => v4({ random: systemRandom(16) });

/** Within one millisecond a counter keeps the order in which one process made its ids. */
export function createIds(clock: Clock): NewId {
  let last = 0;
  let seq = 0;
  // Random bytes are drawn for 256 ids at once: a call to the operating system for each id would
  // show in a profile.
  let pool = Buffer.alloc(0);
  const drawBytes = (): Buffer => {
    if (pool.length < 16) pool = randomBytes(4096);
    const bytes = pool.subarray(0, 16);
    pool = pool.subarray(16);
    return bytes;
  };
  return () => {
    const now = clock();
    const random = drawBytes();
    seq = now > last ? random.readUInt16BE(6) : seq + 1;
    last = Math.max(last, now);
    return v7({ msecs: last, seq, random });
  };
}
