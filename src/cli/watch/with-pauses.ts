import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Yields what `items` yields, and null whenever nothing has come for so long. Without a time it
 * yields no null.
 */
export async function* withPauses<Item>(
  items: AsyncGenerator<Item, void, undefined>,
  pauseMs: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Item | null, void, undefined> {
  if (pauseMs === undefined) return yield* items;
  for (let next = items.next(); ; ) {
    const woken = new AbortController();
    const pause = sleep(pauseMs, null, { signal: AbortSignal.any([signal, woken.signal]) });
    // The one that lost the race may fail later, when nobody waits for it.
    pause.catch(() => {});
    const result = await Promise.race([next, pause]);
    woken.abort();
    if (result?.done) return;
    yield result === null ? null : result.value;
    if (result !== null) next = items.next();
  }
}
