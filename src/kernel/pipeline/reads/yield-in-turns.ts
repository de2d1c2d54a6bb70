import type { Pieces } from '../../content.ts';
import type { LongReads } from '../../limits/long-reads.ts';

/**
 * Yields the pieces of an answer that is made piece by piece, such as an export. One piece of all
 * such answers is made at a time, and their callers take turns (see `createLongReads`).
 */
export async function* yieldInTurns(
  pieces: Pieces,
  turns: LongReads,
  caller: string,
): AsyncGenerator<Uint8Array | string> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      await pieces.ready?.();
      const { done, value } = await turns.readPiece(caller, () => iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
