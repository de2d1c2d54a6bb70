import { fail } from '../errors.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Output, Spec } from '../operation/spec.ts';
import type { StreamOperation } from '../operation/stream-operation.ts';
import { callStreamHandler, eraseOperation } from './call-handler.ts';
import type { Call, Environment, Execute } from './environment.ts';
import { guardCall } from './guard.ts';
import { getInputValidators } from './validators.ts';

/**
 * Opens a stream for a caller. Each of its steps runs through the pipeline again with the same
 * credential, so a revoked key, a block or a removal ends or narrows the stream at the next step.
 * Only the rate limit counts the stream as one call.
 */
export async function openStream(
  env: Environment,
  execute: Execute,
  operation: StreamOperation,
  call: Call,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<AsyncIterable<string>> {
  const { agent } = await guardCall(env, operation, call);
  if (!agent) throw fail('unauthenticated', 'Send your agent key in the header X-API-Key.');

  getInputValidators(operation).query(call.query);

  const signal = call.signal ?? new AbortController().signal;
  const { onRate: _, ...step } = call;
  const runStep = async <S extends Spec>(
    inner: Operation<S>,
    input: Input<S>,
  ): Promise<Output<S>> => {
    const result = await execute(eraseOperation(inner), {
      ...step,
      ...input,
      skipRateLimit: true,
    });
    return JSON.parse(String(result.body)) as Output<S>;
  };
  const context = { hub: env.hub, signal, agent, run: runStep };
  const release = env.load.take('waits', { agentId: agent.id, address: call.address });
  const pieces = callStreamHandler(operation, context, call.query, headers);
  return releaseAtEnd(pieces, signal, release);
}

/** Yields the same pieces, and calls `release` when they end or the caller disconnects. */
async function* releaseAtEnd(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
  release: () => void,
): AsyncGenerator<string> {
  signal.addEventListener('abort', release, { once: true });
  try {
    yield* pieces;
  } finally {
    release();
  }
}
