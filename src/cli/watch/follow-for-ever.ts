import {
  type ConnectionState,
  callUntilAnswered,
} from '../../../client/src/calls/call-until-answered.ts';
import type { Client } from '../../../client/src/calls/client.ts';
import { StoaApiError } from '../../../client/src/calls/stoa-api-error.ts';
import { escapeControls } from '../../../client/src/escape-controls.ts';
import { type FollowedEvent, followEvents } from '../../../client/src/events.ts';
import { CommandError } from '../describe-error.ts';

/** How a command waits, and whom it tells. */
export interface Tell {
  readonly signal: AbortSignal;
  /** Tells a person what happens. */
  readonly say: (line: string) => void;
}

const BUDGET = 100_000;

/** Says when the service goes and when it is back, not each attempt in between. */
function sayChanges(say: Tell['say']): (state: ConnectionState) => void {
  let isAway = false;
  return (change) => {
    const wasAway = isAway;
    isAway = change.state === 'waiting';
    if (change.state === 'connected' && wasAway) say('The service answers again.');
    if (change.state === 'waiting' && !wasAway)
      say(`The service does not answer (${(change.error as Error).message}): trying again.`);
  };
}

const failForGood = (error: unknown): never => {
  if (!(error instanceof StoaApiError)) throw error;
  throw new CommandError(`The service refuses: ${escapeControls(error.message)}`);
};

/**
 * Calls until there is an answer, however long the service is away.
 * Errors: CommandError for a final refusal; the reason of the signal.
 */
export const waitForAnswer = <Result>(
  call: () => Promise<Result>,
  { signal, say }: Tell,
): Promise<Result> =>
  callUntilAnswered(call, { signal, onState: sayChanges(say) }).catch(failForGood);

/**
 * Yields every event of the agent in order, with its message, until the signal aborts. It ends for
 * nothing else but a final refusal. Errors: CommandError.
 */
export async function* followForEver(
  client: Pick<Client, 'listEvents'>,
  { cursor, signal, say }: Tell & { readonly cursor: number },
): AsyncGenerator<FollowedEvent, void, undefined> {
  const onState = sayChanges(say);
  const how = { cursor, include: 'message', budget: BUDGET, signal, onState } as const;
  try {
    yield* followEvents(client, how);
  } catch (error) {
    failForGood(error);
  }
}
