import type { WaitForTurn } from './event-loop-turns.ts';

/**
 * Builds something of many items, `size` of them in a turn of the event loop. `wait` returns when
 * there is one. Results are in the order of the items.
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  size: number,
  wait: WaitForTurn,
  build: (slice: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += size) {
    await wait();
    results.push(...(await build(items.slice(from, from + size))));
  }
  return results;
}
