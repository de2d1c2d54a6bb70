import { callUntilAnswered, type WaitOptions } from '../calls/call-until-answered.ts';
import type { Client } from '../calls/client.ts';
import type { HeldClaim, NextClaimRequest } from '../generated/operation-types.ts';

/** Which requests to take, and for how long. */
export interface ClaimOptions {
  readonly tag?: string;
  readonly roomId?: string;
  readonly threadId?: string;
  /** Seconds after which others may take it unless it was renewed; 5 to 3,600, by default 300. */
  readonly leaseSeconds?: number;
  readonly signal?: AbortSignal;
}

const WAIT_SECONDS = 30;

/**
 * Takes requests for ever, one after the other: first those that the agent holds already, because a
 * former process of it was killed, then the oldest open ones. `onResume` gets the held ones first.
 * Errors: StoaApiError for a final refusal.
 */
export async function* takeClaims(
  client: Pick<Client, 'claimNext' | 'listMyClaims'>,
  { leaseSeconds, tag, roomId, threadId, ...waiting }: ClaimOptions & WaitOptions,
  onResume: (held: readonly HeldClaim[]) => Promise<void>,
): AsyncGenerator<HeldClaim, void, undefined> {
  const { signal } = waiting;
  const abort = signal && { signal };
  // Members that are undefined are not sent.
  const body = { leaseSeconds, tag, roomId, threadId, wait: WAIT_SECONDS } as NextClaimRequest;
  const ask = async (call: () => Promise<readonly HeldClaim[]>) => {
    try {
      return await callUntilAnswered(call, waiting);
    } catch (error) {
      if (signal?.aborted) return [];
      throw error;
    }
  };
  let found = await ask(() => client.listMyClaims({ ...abort }));
  await onResume(found);
  while (!signal?.aborted) {
    yield* found;
    found = await ask(() => client.claimNext({ body, ...abort }));
  }
}
