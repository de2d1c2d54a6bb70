import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, StoaApiError } from 'stoa-client';
import { say } from './agent.ts';

const RECONNECT_MS = 1_000;

/**
 * Yields whenever there may be something to do: once it is connected, at each event, and at the
 * comment that keeps the stream open every 15 seconds. It needs no cursor, because an event only
 * wakes: what is to be done, the service is asked each time.
 * Errors: StoaApiError for a final refusal.
 */
export async function* wakings(stoa: Client): AsyncGenerator<void> {
  for (;;) {
    try {
      const { body } = await stoa.streamEvents();
      for await (const _ of body ?? []) yield;
    } catch (error) {
      if (error instanceof StoaApiError && error.status < 500 && error.status !== 429) throw error;
      say(`the stream ended (${error}), connecting again`);
    }
    await sleep(RECONNECT_MS);
  }
}
