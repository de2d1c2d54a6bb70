import { takeTurns } from './take-turns.ts';

/** What a call shares a batch by, and how large it is. */
export interface CommitShape {
  /** Calls with one key change the same rows. Null for a call that commits alone. */
  readonly key: string | null;
  /** Whether calls of different callers with this key may share a batch. */
  readonly isShared: boolean;
  /** About how much work it is: the bytes that the caller sent, and what its events add. */
  readonly bytes: number;
  /** Set for a call that has a turn that others wait for: it must not wait for another one. */
  readonly hasTurn?: boolean;
}

/** A call that waits for a batch. */
export interface BatchedCall extends CommitShape {
  readonly key: string;
  readonly caller: string;
}

/**
 * The maximum size of a batch. In a larger one, the first call would wait for the last one. Where
 * more than two such batches wait, half of the calls share one, up to the second number: a batch
 * takes several turns of a busy event loop, however many calls it has.
 */
const MAX_BATCH = 16;
const MAX_CROWDED_BATCH = 64;

/**
 * The most bytes of a batch with several calls, and of several calls of one caller in it. Texts
 * take long to index: each Chinese letter is a word, and 2,700 of them take some 30 ms.
 */
const MAX_BATCH_BYTES = 32 * 1024;
const MAX_OWN_BYTES = 8 * 1024;

const compareKeys = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * Picks the calls of the next batch, at most one of each key or, where they may share it, one of
 * each caller for a key. They are in the order of keys: two nodes thus lock in the same order,
 * which prevents deadlocks. `waiting` is how many calls wait, these among them; calls of
 * `holdingKeys` come one by one.
 */
export function pickBatch<Call extends BatchedCall>(
  calls: readonly Call[],
  waiting: number,
  holdingKeys: ReadonlySet<string>,
): readonly Call[] {
  const most = Math.max(MAX_BATCH, Math.min(MAX_CROWDED_BATCH, Math.ceil(waiting / 2)));
  const batch: Call[] = [];
  const taken = new Set<string>();
  const ownBytes = new Map<string, number>();
  let bytes = 0;
  for (const call of takeTurns(calls)) {
    if (batch.length >= most) break;
    const mayShare = call.isShared && !holdingKeys.has(call.key);
    const place = mayShare ? `${call.key} ${call.caller}` : call.key;
    if (taken.has(place)) continue;
    // Whoever has no room now comes before its later calls all the same.
    taken.add(place);
    if (batch.length > 0 && bytes + call.bytes > MAX_BATCH_BYTES) continue;
    const own = ownBytes.get(call.caller) ?? 0;
    if (own > 0 && own + call.bytes > MAX_OWN_BYTES) continue;
    batch.push(call);
    bytes += call.bytes;
    ownBytes.set(call.caller, own + call.bytes);
  }
  return batch.sort((a, b) => compareKeys(a.key, b.key));
}
