import type { GuardedCall } from '../callers/caller.ts';
import { type Notice, reasonBits } from '../effects.ts';
import type { RateState } from '../limits/rate-limits.ts';
import { storesInput } from '../operation/any-operation.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Spec } from '../operation/spec.ts';
import type { Call, Environment } from './environment.ts';
import type { Upload } from './uploads/uploads.ts';

/*
 * Besides the token of a call, a mutation may use up bytes of its caller's day and mentions. Both
 * are taken before its transaction and given back as far as they were not used, so that no
 * connection is held while a bucket is asked. Administrators use up nothing.
 */

/** What a mutation has taken. */
export interface Allowances {
  /** Returns everything, after a failure that stored nothing. */
  giveBack(): void;
  /** Returns mentions that did not reach anybody, after the commit. */
  settle(notices: readonly Notice[]): void;
}

const nothingTaken: Allowances = { giveBack: () => {}, settle: () => {} };

/** Counts the bytes of a body as JSON, or those of an upload. */
export const countStoredBytes = (body: unknown, upload: Upload | null): number =>
  upload
    ? upload.file.size + Buffer.byteLength(upload.file.name)
    : Buffer.byteLength(JSON.stringify(body ?? {}));

/**
 * Counts the "@" in a text that may mention agents, without reading it: no text is parsed before
 * its sender is known to have the right to post it.
 */
function countPossibleMentions(
  { mentionsIn }: Operation,
  { body }: Input<Spec>,
  maximum: number,
): number {
  if (mentionsIn === undefined) return 0;
  const text = String((body as Readonly<Record<string, unknown>>)[mentionsIn] ?? '');
  let count = 0;
  for (let at = text.indexOf('@'); at >= 0 && count < maximum; at = text.indexOf('@', at + 1))
    count += 1;
  return count;
}

/** Counts the agents that a mutation tells by name, as far as it is known before it is allowed. */
function countInvited({ invitesIn }: Operation, { body }: Input<Spec>): number {
  const named = invitesIn && (body as Readonly<Record<string, unknown>>)[invitesIn];
  return Array.isArray(named) ? named.length : 0;
}

const countMentioned = (notices: readonly Notice[]): number =>
  notices
    .flatMap(({ addressees }) => addressees)
    .filter(({ reasons }) => (reasons & reasonBits.mention) !== 0).length;

/**
 * Takes what a mutation may use up at most.
 * Errors: `limit_exceeded` with `limit`, `rate_limited` with `retryAfterSeconds`.
 */
export async function takeAllowances(
  env: Environment,
  operation: Operation,
  call: Call,
  { at, caller }: GuardedCall,
  input: Input<Spec>,
  upload: Upload | null,
): Promise<Allowances> {
  if (caller.administrator || !storesInput(operation)) return nothingTaken;
  const { agent } = caller;
  const bytes = countStoredBytes(input.body, upload);
  const giveBytesBack =
    upload?.settle(bytes) ??
    (await env.storageQuotas.take(agent?.id ?? null, call.address, bytes, at));
  const invited = countInvited(operation, input);
  const possible =
    invited + countPossibleMentions(operation, input, env.installation.limits.mentionsPerMessage);
  if (!agent || possible === 0) return { giveBack: () => giveBytesBack(), settle: () => {} };
  const who = { name: `agent:${agent.id}` };
  let state: RateState | undefined;
  let taken = 0;
  try {
    taken = await env.rateLimiter.take('mentions', who, at, (known) => (state = known), possible);
  } catch (error) {
    giveBytesBack();
    if (state) call.onRate?.(state);
    throw error;
  }
  const giveMentionsBack = (unused: number) => env.rateLimiter.giveBack('mentions', who, unused);
  return {
    giveBack() {
      giveBytesBack();
      giveMentionsBack(taken);
    },
    settle: (notices) => giveMentionsBack(Math.max(0, taken - invited - countMentioned(notices))),
  };
}
