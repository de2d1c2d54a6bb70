import type { Hub } from '../hub.ts';
import { Json } from '../schema/json.ts';
import type { LongPoll } from '../operation/operation.ts';
import type { Input, Output, Spec } from '../operation/spec.ts';

/**
 * Runs a read until it has something to tell or its time is over. Between two tries it holds nothing but a timer and
 * its place in the hub; it takes that place before it first reads, so that nothing can arrive in between unnoticed.
 */
export async function waitForNews<S extends Spec>(
  hub: Hub,
  agentId: string,
  poll: LongPoll<S>,
  first: Input<S>,
  read: (input: Input<S>) => Promise<Output<S> | Json>,
  signal: AbortSignal | undefined,
): Promise<Output<S> | Json> {
  const seconds = poll.seconds(first);
  if (seconds === 0) return read(first);
  let wake = () => {};
  let news = false;
  let over = false;
  const end = () => {
    over = true;
    wake();
  };
  const timer = setTimeout(end, seconds * 1000);
  const leave = hub.subscribe(agentId, () => {
    news = true;
    wake();
  });
  signal?.addEventListener('abort', end);
  try {
    for (let input = first; ; ) {
      news = false;
      const output = await read(input);
      if (over || hub.closed || signal?.aborted || output instanceof Json || !poll.isEmpty(output))
        return output;
      input = poll.next(input, output);
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (news || over || hub.closed) resolve();
      });
    }
  } finally {
    clearTimeout(timer);
    leave();
    signal?.removeEventListener('abort', end);
  }
}
