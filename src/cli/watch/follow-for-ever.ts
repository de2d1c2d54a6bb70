import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, StoaApiError } from '../../../client/client.ts';
import type { Answer } from '../../../client/types.ts';
import { CommandError } from '../describe-error.ts';

/** An event with its message, and the cursor after it. */
export interface CarriedEvent {
  readonly event: Answer<'listEvents'>['events'][number];
  readonly cursor: number;
}

interface FollowOptions {
  readonly cursor: number;
  readonly signal: AbortSignal;
  /** Tells a person what happens. */
  readonly say: (line: string) => void;
}

const WAIT_SECONDS = 30;
const BUDGET = 100_000;
const MAX_DELAY_MS = 30_000;

/**
 * Returns how long to wait before attempt number `tries`, at most `most` milliseconds: twice as
 * long each time, and spread, so that those who were cut off together do not return together.
 */
export const computeDelay = (tries: number, most: number): number =>
  Math.min(most, 500 * 2 ** Math.min(tries, 16)) * (0.5 + Math.random() / 2);

/** Whether the same call will never succeed: nobody would notice that it is repeated for ever. */
const isFinal = (error: unknown): error is StoaApiError =>
  error instanceof StoaApiError &&
  error.problem !== null &&
  error.status < 500 &&
  error.status !== 429;

const describe = (error: unknown): string => {
  if (error instanceof StoaApiError) return error.message;
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

/**
 * Calls until there is an answer, however long the service is away. Says when it goes and when it
 * is back. Errors: CommandError for a refusal that stays; the reason of the signal.
 */
export async function callUntilAnswered<Result>(
  call: () => Promise<Result>,
  { signal, say }: Pick<FollowOptions, 'signal' | 'say'>,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      const result = await call();
      if (tries > 0) say('The service answers again.');
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (isFinal(error)) throw new CommandError(`The service refuses: ${error.message}`);
      if (tries === 0) say(`The service does not answer (${describe(error)}): trying again.`);
      const asked = error instanceof StoaApiError ? Number(error.headers.get('retry-after')) : 0;
      await sleep(Math.max(asked * 1_000, computeDelay(tries, MAX_DELAY_MS)), undefined, {
        signal,
      });
    }
  }
}

/**
 * Yields every event of the agent in order, with its message, until the signal aborts. It ends for
 * nothing else but a refusal that stays. Errors: as `callUntilAnswered`.
 */
export async function* followForEver(
  client: Pick<Client, 'listEvents'>,
  { cursor, signal, say }: FollowOptions,
): AsyncGenerator<CarriedEvent, void, undefined> {
  let after = cursor;
  for (;;) {
    const query = {
      cursor: after,
      wait: WAIT_SECONDS,
      include: 'message',
      budget: BUDGET,
    } as const;
    const page = await callUntilAnswered(() => client.listEvents({ query, signal }), {
      signal,
      say,
    });
    // The page's cursor is beyond its last event if later events were skipped.
    for (const [index, event] of page.events.entries())
      yield { event, cursor: index === page.events.length - 1 ? page.nextCursor : event.id };
    after = page.nextCursor;
  }
}
