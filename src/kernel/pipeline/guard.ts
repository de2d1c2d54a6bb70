import type { Agent, Caller } from '../callers/caller.ts';
import { authorize, identifyCaller } from '../callers/callers.ts';
import type { RateClass, RateState } from '../callers/rate-limits.ts';
import { toIso } from '../clock.ts';
import { StoaError } from '../errors.ts';
import { type AnyOperation, isMutation } from '../operation/any-operation.ts';
import type { Call, Environment } from './environment.ts';
import { isIdempotencyKey } from './idempotency.ts';

/** A caller that may make this call, as far as that does not depend on what it is about. */
export interface GuardedCall {
  /** The request's one reading of the clock, in milliseconds and as the wire writes it. */
  readonly at: number;
  readonly now: string;
  readonly caller: Caller;
  /** As whom the call acts; null for anyone. */
  readonly agent: Agent | null;
}

/**
 * From whose buckets a call takes. A context costs nothing to make, so a guest pays as its address;
 * with what it writes, as its context too, which many addresses may share.
 */
function listRateLimitSubjects(
  operation: AnyOperation,
  { agent, guest }: Caller,
  { address }: Call,
): string[] {
  if (agent && operation.rate !== 'registrations' && operation.rate !== 'anonymousReports')
    return [`agent:${agent.id}`];
  return [
    `address:${address}`,
    ...(guest && isMutation(operation) ? [`context:${guest.keySha256.toString('hex')}`] : []),
  ];
}

/**
 * Credential, rate limit, switch, scope, capability: in that order, for calls and streams alike.
 * Errors: those of `identify` and `authorize`, `rate_limited`.
 */
export async function guardCall(
  env: Environment,
  operation: AnyOperation,
  call: Call,
): Promise<GuardedCall> {
  const at = env.clock();
  const now = toIso(at);
  const mutation = isMutation(operation);
  // Looked up together with the credential; what is wrong with it is said only to those who may
  // call at all.
  const idempotencyKey =
    mutation && isIdempotencyKey(call.idempotencyKey) ? call.idempotencyKey : null;
  let lowest: RateState | undefined;
  const takeToken = async (policy: RateClass, who: string) => {
    if (call.skipRateLimit) return;
    await env.rateLimiter.take(policy, who, at, (state) => {
      // Of two buckets the caller is told of the one with less in it.
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
    // Guessing keys costs what anonymous reading costs.
    if (error instanceof StoaError) await takeToken('reads', `address:${call.address}`);
    throw error;
  }
  call.onCaller?.(caller);
  if (!caller.administrator)
    for (const who of listRateLimitSubjects(operation, caller, call))
      await takeToken(operation.rate ?? (mutation ? 'writes' : 'reads'), who);
  if (caller.agent && caller.key)
    env.usage.recordUse(caller.agent.id, caller.key, caller.lastActiveOn, now);
  return { at, now, caller, agent: await authorize(env.db, caller, operation, env.installation) };
}

/**
 * Whether a caller that was admitted a while ago may still go on, and as whom: its key may have
 * been revoked or its agent blocked.
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
  return authorize(env.db, caller, operation, env.installation);
}
