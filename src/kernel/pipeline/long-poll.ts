import type { Hub } from '../hub.ts';
import type { LongPoll } from '../operation/operation.ts';
import type { Input, Output, Spec } from '../operation/spec.ts';
import { RawJson } from '../schema/json.ts';

/**
 * Runs a read until it returns news or its time is over. Between two attempts it holds only a timer
 * and a subscription in the hub. It subscribes before the first read, so no news can arrive
 * unnoticed in between.
 */
export async function waitForNews<S extends Spec>(
  hub: Hub,
  agentId: string,
  poll: LongPoll<S>,
  first: Input<S>,
  read: (input: Input<S>) => Promise<Output<S> | RawJson>,
  signal: AbortSignal | undefined,
): Promise<Output<S> | RawJson> {
  const seconds = poll.seconds(first);
  if (seconds === 0) return read(first);
  let wake = () => {};
  let hasNews = false;
  let isOver = false;
  const end = () => {
    isOver = true;
    wake();
  };
  const timer = setTimeout(end, seconds * 1000);
  const unsubscribe = hub.subscribe(agentId, () => {
    hasNews = true;
    wake();
  });
  signal?.addEventListener('abort', end);
  try {
    for (let input = first; ; ) {
      hasNews = false;
      const output = await read(input);
      if (
        isOver ||
        hub.isClosed ||
        signal?.aborted ||
        output instanceof RawJson ||
        !poll.isEmpty(output)
      )
        return output;
      input = poll.next(input, output);
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (hasNews || isOver || hub.isClosed) resolve();
      });
    }
  } finally {
    clearTimeout(timer);
    unsubscribe();
    signal?.removeEventListener('abort', end);
  }
}
