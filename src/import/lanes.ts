/**
 * Works on items `width` at once, those of one lane one after the other in their order. It reads at most `ahead` items ahead, so
 * memory does not grow with their number. Errors: the first one of `work`, when all that was begun has ended; nothing is begun after it.
 */
export async function inLanes<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  {
    laneOf,
    width,
    ahead = 1_000,
  }: { readonly laneOf: (item: Item) => unknown; readonly width: number; readonly ahead?: number },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const lanes = new Map<unknown, Item[]>();
  const ready: Item[][] = [];
  let held = 0;
  let running = 0;
  let failure: { readonly error: unknown } | undefined;
  let moved = () => {};
  const change = () =>
    new Promise<void>((resolve) => {
      moved = resolve;
    });

  async function workOn(lane: unknown, queue: Item[]): Promise<void> {
    try {
      for (let item = queue[0]; item !== undefined && !failure; item = queue[0]) {
        await work(item);
        queue.shift();
        held -= 1;
        moved();
      }
    } catch (error) {
      failure ??= { error };
    }
    lanes.delete(lane);
    running -= 1;
    start();
    moved();
  }

  function start(): void {
    for (let queue = ready[0]; queue && running < width && !failure; queue = ready[0]) {
      ready.shift();
      running += 1;
      void workOn(laneOf(queue[0] as Item), queue);
    }
  }

  for await (const item of items) {
    const lane = laneOf(item);
    const queue = lanes.get(lane);
    if (queue) queue.push(item);
    else {
      lanes.set(lane, [item]);
      ready.push(lanes.get(lane) as Item[]);
    }
    held += 1;
    start();
    while (held >= ahead && !failure) await change();
    if (failure) break;
  }
  while (running > 0) await change();
  if (failure) throw failure.error;
}

/** Works on items `width` at once, in no particular order. Errors: as `inLanes`. */
export const inParallel = <Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => inLanes(items, { laneOf: (item) => item, width }, work);
