import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Builds something of many items, `size` of them at a time, and gives others their turn of the
 * event loop in between. Results are in the order of the items.
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  size: number,
  build: (slice: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn();
    results.push(...(await build(items.slice(from, from + size))));
  }
  return results;
}
