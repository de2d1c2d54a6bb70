import type { Agent, Caller, GuardedCall } from '../callers/caller.ts';
import { anonymousCaller, authorize, identifyCaller } from '../callers/callers.ts';
import { toIso } from '../clock.ts';
import { StoaError } from '../errors.ts';
import { nameLimited } from '../limits/caller-names.ts';
import {
  listAddressSubjects,
  listCallerSubjects,
  type RateSubject,
} from '../limits/rate-limit-subjects.ts';
import type { RateClass, RateState } from '../limits/rate-limits.ts';
import { type AnyOperation, isMutation } from '../operation/any-operation.ts';
import { assertDiskSpace } from './disk-floor.ts';
import type { Call, Environment } from './environment.ts';
import { isIdempotencyKey } from './idempotency.ts';

/**
 * Lists whose buckets a call takes tokens from. Creating a context is free, so a guest pays with
 * its address. A mutation by a guest also pays with its context, which many addresses may share.
 */
function listRateLimitSubjects(
  operation: AnyOperation,
  caller: Caller,
  { address }: Call,
): RateSubject[] {
  const paysItself = operation.rate !== 'registrations' && operation.rate !== 'anonymousReports';
  const { guest } = caller;
  return [
    ...listCallerSubjects(paysItself ? nameLimited(caller, operation) : null, address),
    ...(guest && isMutation(operation)
      ? [{ name: `context:${guest.keySha256.toString('hex')}` }]
      : []),
  ];
}

/**
 * Checks the credential, rate limit, feature, scope and capability, in this order, for calls and
 * for streams, and whether there is room for what the call stores.
 * Errors: those of `identifyCaller`, `authorize` and `assertDiskSpace`, `rate_limited`.
 */
export async function guardCall(
  env: Environment,
  operation: AnyOperation,
  call: Call,
): Promise<GuardedCall> {
  const at = env.clock();
  const now = toIso(at);
  const mutation = isMutation(operation);
  // The record is looked up together with the credential. An invalid key is reported later, only to
  // callers that pass the guard.
  const idempotencyKey =
    mutation && isIdempotencyKey(call.idempotencyKey) ? call.idempotencyKey : null;
  let lowest: RateState | undefined;
  const takeToken = async (policy: RateClass, who: RateSubject) => {
    if (call.skipRateLimit) return;
    if (policy === 'reads' && call.prepaidRead) return;
    await env.rateLimiter.take(policy, who, at, (state) => {
      // If there are two buckets, the caller learns about the one with fewer tokens.
      if (lowest && state.remaining > lowest.remaining) return;
      lowest = state;
      call.onRate?.(state);
    });
  };

  let caller: Caller;
  try {
    caller = await identifyCaller(
      env.db,
      call.credentials,
      operation,
      idempotencyKey,
      now,
      env.administrators,
    );
  } catch (error) {
    // A guessed key costs as much as an anonymous read, and counts as one.
    if (error instanceof StoaError) {
      if (error.code === 'invalid_credential' && error.credential === 'agent')
        call.onCaller?.(anonymousCaller);
      for (const who of listAddressSubjects(call.address)) await takeToken('reads', who);
    }
    throw error;
  }
  call.onCaller?.(caller);
  if (!caller.administrator)
    for (const who of listRateLimitSubjects(operation, caller, call))
      await takeToken(operation.rate ?? (mutation ? 'writes' : 'reads'), who);
  if (caller.agent && caller.key)
    await env.usage.recordUse(caller.agent.id, caller.key, caller.lastActiveOn, now);
  const authorized = await authorize(env.db, caller, operation, env.installation);
  await assertDiskSpace(env, operation);
  return { at, now, caller, ...authorized };
}

/**
 * Checks again whether a caller that passed the guard earlier may continue, because its key may
 * have been revoked or its agent blocked since. Returns the agent that the call acts as.
 * Errors: those of `identifyCaller` and `authorize`.
 */
export async function assertStillAllowed(
  env: Environment,
  operation: AnyOperation,
  call: Call,
): Promise<Agent | null> {
  const caller = await identifyCaller(
    env.db,
    call.credentials,
    operation,
    null,
    toIso(env.clock()),
    env.administrators,
  );
  return (await authorize(env.db, caller, operation, env.installation)).agent;
}
