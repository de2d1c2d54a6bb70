import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from './clock.ts';

/** A new UUIDv7 (RFC 9562): ids sort by creation. */
export type NewId = () => string;

/** Random bytes from the operating system, injected like the clock. */
export type Random = (bytes: number) => Buffer;

export const systemRandom: Random = (bytes) => randomBytes(bytes);

/** Within one millisecond a counter keeps the order in which one process made its ids. */
export function createIds(clock: Clock): NewId {
  let last = 0;
  let seq = 0;
  return () => {
    const now = clock();
    if (now > last) {
      last = now;
      seq = randomBytes(2).readUInt16BE();
    } else {
      seq += 1;
    }
    return v7({ msecs: last, seq });
  };
}
