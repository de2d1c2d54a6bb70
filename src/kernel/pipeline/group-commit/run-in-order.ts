import type { Transaction } from '../../../db/database.ts';
import type { CommitEffects } from './commit-effects.store.ts';

/** What the work of a call comes to. */
interface Handled<Value> {
  readonly value: Value;
  readonly effects: CommitEffects;
  /** Whether calls with its key after it must wait for its commit. */
  readonly holdsLater: boolean;
}

/**
 * The work of a call in its transaction. It decides, and returns its effects. Each attempt runs it
 * anew. `earlier` is how many calls with its key before it succeed, once they have been handled. It
 * rejects with HeldCall if one of them must be committed before this call decides.
 */
export type Work<Value> = (tx: Transaction, earlier: Promise<number>) => Promise<Handled<Value>>;

/** A call has to wait for the commit of an earlier one with its key. It has done nothing. */
export class HeldCall extends Error {
  override readonly name = 'HeldCall';
}

/** Starts the work of all calls in order. Each learns how many before it with its key succeed. */
export function runInOrder(
  tx: Transaction,
  members: readonly { readonly key: string; readonly work: Work<unknown> }[],
): Promise<Handled<unknown>>[] {
  const counts = new Map<string, Promise<number>>();
  return members.map(({ key, work }) => {
    const earlier = counts.get(key) ?? Promise.resolve(0);
    const handled = work(tx, earlier);
    const count = handled.then(
      async ({ holdsLater }) => {
        if (holdsLater) throw new HeldCall();
        return (await earlier) + 1;
      },
      () => earlier,
    );
    // Nobody may ask for it.
    count.catch(() => {});
    counts.set(key, count);
    return handled;
  });
}
