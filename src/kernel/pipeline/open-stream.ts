import { admit } from './guard.ts';
import type { Call, Environment, Execute } from './environment.ts';
import { fail } from '../errors.ts';
import { inputOf } from '../interface-of.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Output, Spec } from '../operation/spec.ts';
import type { StreamOperation } from '../operation/stream-operation.ts';

/**
 * Opens a stream for a caller. Each step that it takes runs through the pipeline again with the same credential, so a revoked
 * key, a block or a removal ends or narrows the stream at the next step; only the rate limit counts the stream as one call.
 */
export async function openStream(
  env: Environment,
  execute: Execute,
  operation: StreamOperation,
  call: Call,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<AsyncIterable<string>> {
  const { agent } = await admit(env, operation, call);
  if (!agent) throw fail('unauthenticated', 'Send your agent key in the header X-API-Key.');

  inputOf(operation).query(call.query);

  const signal = call.signal ?? new AbortController().signal;
  const { onRate: _, ...step } = call;
  const run = async <S extends Spec>(inner: Operation<S>, input: Input<S>): Promise<Output<S>> => {
    const result = await execute(inner as unknown as Operation, {
      ...step,
      ...input,
      unlimited: true,
    });
    return JSON.parse(String(result.body)) as Output<S>;
  };
  return operation.open(
    { hub: env.hub, signal, agent, run },
    { query: call.query as never, headers },
  );
}
