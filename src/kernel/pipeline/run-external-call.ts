import { fail } from '../errors.ts';
import type { ExternalCall, ExternalCallResult } from '../operation/operation.ts';
import type { Context, Input, Spec, WriteContext } from '../operation/spec.ts';
import type { Environment } from './environment.ts';
import type { IdempotentCall } from './idempotent-call.ts';

/**
 * The maximum number of external calls of one process at once. Each holds a connection and a caller
 * for up to five seconds.
 */
const MAX_CONCURRENT = 100;

/** Plans and makes the external call of a caller, and returns the plan with the result. */
export type RunExternalCall = (
  caller: string,
  externalCall: ExternalCall<Spec>,
  context: Omit<Context, keyof WriteContext>,
  input: Input<Spec>,
  idempotentCall: IdempotentCall | null,
) => Promise<ExternalCallResult>;

/**
 * Creates the runner of external calls. It plans a call in a transaction and makes it in none.
 * Errors of the runner: the operation's own, `idempotency_in_progress`; `unavailable` when too many
 * calls wait.
 */
export function createExternalCallRunner({
  db,
  dial,
}: Pick<Environment, 'db' | 'dial'>): RunExternalCall {
  let waiting = 0;
  return async (caller, { plan: decide, call }, context, input, idempotentCall) => {
    if (waiting >= MAX_CONCURRENT)
      throw fail(
        'unavailable',
        'Too many calls wait for receivers outside. Repeat the same request in a few seconds.',
      );
    const runPlan = async (tx: Context['tx']) => {
      await idempotentCall?.claimKey(tx);
      return decide({ ...context, tx }, input);
    };
    waiting += 1;
    try {
      const plan = await db.transaction(runPlan, {
        genericPlans: true,
        lockTimeoutMs: 5_000,
        caller,
      });
      return { plan, result: await call(dial, plan) };
    } finally {
      waiting -= 1;
    }
  };
}
