import type { Environment } from './environment.ts';
import type { Context, Input, Reach, Reached, Spec } from './operation.ts';
import type { Repetition } from './repetition.ts';

/** Plans a call in a transaction and makes it in none. Errors: the operation's own, `idempotency_in_progress`. */
export async function reachOut(
  env: Environment,
  { plan: decide, call }: Reach<Spec>,
  common: Omit<Context, 'tx' | 'write' | 'record' | 'notify'>,
  input: Input<Spec>,
  repetition: Repetition | null,
): Promise<Reached> {
  const work = async (tx: Context['tx']) => {
    await repetition?.claim(tx);
    return decide({ ...common, tx }, input);
  };
  const plan = await env.db.transaction(work, { genericPlans: true, lockFor: 5_000 });
  return { plan, found: await call(env.dial, plan) };
}
