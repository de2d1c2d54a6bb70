import { fail } from '../../errors.ts';
import type { Hub } from '../../hub.ts';
import type { LongPoll } from '../../operation/operation.ts';
import type { Input, Output, Spec } from '../../operation/spec.ts';
import { RawJson } from '../../schema/json.ts';
import type { Call } from '../environment.ts';

/**
 * How long a wait for a topic goes on without a look, because a wake-up of another node may be
 * lost. A thousand waits that looked every two seconds kept the database busy with nothing else.
 */
const RECHECK_MS = 15_000;

/**
 * Asserts that somebody still waits for the answer. A caller that left while its call was waiting
 * costs no more than it did. Errors: `unavailable`, which nobody reads.
 */
export function assertReaderStays({ isGone }: Pick<Call, 'isGone'>): void {
  if (isGone?.())
    throw fail('unavailable', 'The caller left before it was answered. Repeat the request.');
}

/**
 * Asserts, when a read has its turn, that somebody still waits for it who may have its answer.
 * Errors: those of `assertReaderStays` and of `reserveAnswer`.
 */
export function assertMayRead(call: Pick<Call, 'isGone' | 'reserveAnswer'>): void {
  assertReaderStays(call);
  call.reserveAnswer?.();
}

/** The places of news that are asked about at once. Those beyond wait for the recheck. */
const MAX_PLACES = 30;

/** Who waits, and where. */
export interface Waiter {
  readonly hub: Hub;
  readonly agentId: string;
  /** Whether it may know of news in one of these places; without it, it looks at all news. */
  mayKnow?(places: readonly string[]): Promise<boolean>;
}

/**
 * Runs a read until it returns news or its time is over. Between two attempts it holds only a timer
 * and a subscription in the hub. It subscribes before the first read, so no news can arrive
 * unnoticed in between. `read` is told whether it runs for the last time.
 */
export async function waitForNews<S extends Spec>(
  { hub, agentId, mayKnow }: Waiter,
  poll: LongPoll<S>,
  first: Input<S>,
  read: (input: Input<S>, isLast: boolean) => Promise<Output<S> | RawJson>,
  call: Pick<Call, 'signal' | 'onWait'>,
): Promise<Output<S> | RawJson> {
  const seconds = poll.seconds(first);
  if (seconds === 0) return read(first, true);
  const { onWait } = call;
  const signal = call.signal?.();
  let wake = () => {};
  let hasNews = false;
  const places = new Set<string>();
  let isOver = false;
  const end = () => {
    isOver = true;
    wake();
  };
  const timer = setTimeout(end, seconds * 1000);
  const topic = poll.topic?.(first, agentId);
  const look = () => {
    hasNews = true;
    wake();
  };
  const unsubscribe = hub.subscribe(topic ?? agentId, (where) => {
    if (where === undefined || !mayKnow) return look();
    if (places.size < MAX_PLACES) places.add(where);
    wake();
  });
  const mustLook = () => hasNews || isOver || hub.isClosed;
  const waitForLook = async (): Promise<void> => {
    while (!mustLook()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (mustLook() || places.size > 0) resolve();
      });
      if (mustLook() || places.size === 0) continue;
      const asked = [...places];
      places.clear();
      if (await mayKnow?.(asked)) return;
    }
  };
  const recheck = topic === undefined ? undefined : setInterval(look, RECHECK_MS);
  signal?.addEventListener('abort', end);
  try {
    for (let input = first; ; ) {
      hasNews = false;
      places.clear();
      const isLast = isOver || hub.isClosed || signal?.aborted === true;
      const output = await read(input, isLast);
      if (
        isLast ||
        isOver ||
        hub.isClosed ||
        signal?.aborted ||
        output instanceof RawJson ||
        !poll.isEmpty(output)
      )
        return output;
      input = poll.next(input, output);
      onWait?.();
      await waitForLook();
    }
  } finally {
    clearTimeout(timer);
    clearInterval(recheck);
    unsubscribe();
    signal?.removeEventListener('abort', end);
  }
}
