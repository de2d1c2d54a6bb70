import { type Agent, authorize, type Caller, identify } from './callers.ts';
import { iso } from './clock.ts';
import type { Call, Environment } from './environment.ts';
import { StoaError } from './errors.ts';
import { isIdempotencyKey } from './idempotency.ts';
import { isMutation, type Operation, type StreamOperation } from './operation.ts';

/** A caller that may make this call, as far as that does not depend on what it is about. */
export interface Admission {
  /** The request's one reading of the clock, in milliseconds and as the wire writes it. */
  readonly at: number;
  readonly now: string;
  readonly caller: Caller;
  /** As whom the call acts; null for anyone. */
  readonly agent: Agent | null;
}

/**
 * Credential, rate limit, switch, scope, capability: in that order, for calls and streams alike.
 * Errors: those of `identify` and `authorize`, `rate_limited`.
 */
export async function admit(env: Environment, operation: Operation | StreamOperation, call: Call): Promise<Admission> {
  const at = env.clock();
  const now = iso(at);
  const mutation = isMutation(operation);
  // Looked up together with the credential; what is wrong with it is said only to those who may call at all.
  const idempotencyKey = mutation && isIdempotencyKey(call.idempotencyKey) ? call.idempotencyKey : null;
  const take = async (policy: 'reads' | NonNullable<Operation['rate']>, who: string) => {
    if (!call.unlimited) await env.rateLimiter.take(policy, who, at, (state) => call.onRate?.(state));
  };

  let caller: Caller;
  try {
    caller = await identify(env.db, call.credentials, operation, idempotencyKey, now, env.administrators);
  } catch (error) {
    // Guessing keys costs what anonymous reading costs.
    if (error instanceof StoaError) await take('reads', `address:${call.address}`);
    throw error;
  }
  call.onCaller?.(caller);
  if (!caller.administrator) {
    const payer = operation.rate === 'registrations' ? null : caller.agent;
    await take(operation.rate ?? (mutation ? 'writes' : 'reads'), payer ? `agent:${payer.id}` : `address:${call.address}`);
  }
  if (caller.agent && caller.key) env.usage.seen(caller.agent.id, caller.key, caller.lastActiveOn, now);
  return { at, now, caller, agent: await authorize(env.db, caller, operation, env.installation) };
}

/** Whether a caller that was admitted a while ago may still go on: its key may have been revoked or its agent blocked. */
export async function assertStillAdmitted(env: Environment, operation: Operation, call: Call): Promise<void> {
  const caller = await identify(env.db, call.credentials, operation, null, iso(env.clock()), env.administrators);
  await authorize(env.db, caller, operation, env.installation);
}
