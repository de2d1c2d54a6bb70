import type { Environment } from './pipeline/environment.ts';
import { fail } from './errors.ts';
import type { Reach, Reached } from './operation/operation.ts';
import type { Repetition } from './pipeline/idempotent-call.ts';
import type { Context, Input, Spec } from './operation/spec.ts';

/** Calls of one process that wait for somebody outside at once: each holds a connection and a caller for up to five seconds. */
const AT_ONCE = 100;

type ReachOut = (
  reach: Reach<Spec>,
  common: Omit<Context, 'tx' | 'write' | 'record' | 'notify'>,
  input: Input<Spec>,
  repetition: Repetition | null,
) => Promise<Reached>;

/** Plans a call in a transaction and makes it in none. Errors: the operation's own, `idempotency_in_progress`; `unavailable` when too many wait. */
export function createReachOut({ db, dial }: Pick<Environment, 'db' | 'dial'>): ReachOut {
  let waiting = 0;
  return async ({ plan: decide, call }, common, input, repetition) => {
    if (waiting >= AT_ONCE)
      throw fail(
        'unavailable',
        'Too many calls wait for receivers outside. Repeat the same request in a few seconds.',
      );
    const work = async (tx: Context['tx']) => {
      await repetition?.claim(tx);
      return decide({ ...common, tx }, input);
    };
    waiting += 1;
    try {
      const plan = await db.transaction(work, { genericPlans: true, lockFor: 5_000 });
      return { plan, found: await call(dial, plan) };
    } finally {
      waiting -= 1;
    }
  };
}
