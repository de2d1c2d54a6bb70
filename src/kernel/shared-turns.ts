import { setImmediate } from 'node:timers/promises';

/** The turn of the event loop that was given away last. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Returns when the event loop has a turn for one more costly piece. All who ask share the turns, so
 * that others wait for one piece, however many calls have pieces at the same time.
 */
export function waitForTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
