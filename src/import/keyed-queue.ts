interface KeyedQueueOptions<Item> {
  /** Returns the key of an item. Items with the same key run one after the other. */
  readonly getKey: (item: Item) => unknown;
  /** How many items run at once. */
  readonly width: number;
  /** How many items are read but not finished at once. */
  readonly maxWaiting?: number;
}

/**
 * Runs `work` for items, `width` at once, and those with the same key one after the other in their
 * order. It reads at most `maxWaiting` items ahead, so memory does not grow with their number.
 * Errors: the first one of `work`, when all started items have ended. No item starts after it.
 */
export async function runKeyed<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { getKey, width, maxWaiting = 1_000 }: KeyedQueueOptions<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queues = new Map<unknown, Item[]>();
  const ready: { readonly key: unknown; readonly queue: Item[] }[] = [];
  let waiting = 0;
  let running = 0;
  let failure: { readonly error: unknown } | undefined;
  let signalChange = () => {};
  const waitForChange = () =>
    new Promise<void>((resolve) => {
      signalChange = resolve;
    });

  async function runQueue(key: unknown, queue: Item[]): Promise<void> {
    try {
      for (let item = queue[0]; item !== undefined && !failure; item = queue[0]) {
        await work(item);
        queue.shift();
        waiting -= 1;
        signalChange();
      }
    } catch (error) {
      failure ??= { error };
    }
    queues.delete(key);
    running -= 1;
    startQueues();
    signalChange();
  }

  function startQueues(): void {
    for (let next = ready[0]; next && running < width && !failure; next = ready[0]) {
      ready.shift();
      running += 1;
      void runQueue(next.key, next.queue);
    }
  }

  for await (const item of items) {
    const key = getKey(item);
    const queue = queues.get(key);
    if (queue) queue.push(item);
    else {
      const newQueue = [item];
      queues.set(key, newQueue);
      ready.push({ key, queue: newQueue });
    }
    waiting += 1;
    startQueues();
    while (waiting >= maxWaiting && !failure) await waitForChange();
    if (failure) break;
  }
  while (running > 0) await waitForChange();
  if (failure) throw failure.error;
}

/** Runs `work` for items, `width` at once, in no particular order. Errors: those of `runKeyed`. */
export const runParallel = <Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => runKeyed(items, { getKey: (item) => item, width }, work);
