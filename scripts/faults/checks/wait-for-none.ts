import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '../site.ts';

const TRY_MS = 100;

/**
 * Waits until no row is left of what the service does in the background. `from` is a table with a
 * condition, `what` the beginning of the sentence that says what is left after `milliseconds`.
 */
export async function waitForNone(
  site: Site,
  from: string,
  what: string,
  milliseconds: number,
): Promise<string[]> {
  const late = Date.now() + milliseconds;
  for (;;) {
    const [row] = await site.query(`SELECT count(*)::int AS n FROM ${from}`);
    if (row?.n === 0) return [];
    if (Date.now() > late) return [`${what} after ${milliseconds} ms: ${row?.n}.`];
    await sleep(TRY_MS);
  }
}
