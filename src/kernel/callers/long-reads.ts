import { setTimeout as sleep } from 'node:timers/promises';
import type { Semaphore } from '../../db/semaphore.ts';
import { monotonicClock } from '../clock.ts';

/**
 * Reads one piece of something long when it is its caller's turn, and then rests as long as that
 * took: all long reads together never have more than half of the process.
 */
export const readPieceInTurn = <Piece>(
  turns: Semaphore,
  caller: string,
  read: () => Promise<Piece>,
): Promise<Piece> =>
  turns.run(async () => {
    const began = monotonicClock();
    const piece = await read();
    await sleep(monotonicClock() - began);
    return piece;
  }, caller);
