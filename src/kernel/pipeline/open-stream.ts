import { setTimeout as sleep } from 'node:timers/promises';
import { readPieceInTurn } from '../callers/long-reads.ts';
import type { RateSubject } from '../callers/rate-limit-subjects.ts';
import { BYTES_PER_READ } from '../callers/rate-limits.ts';
import { fail, StoaError } from '../errors.ts';
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
 * The rate limit counts the stream as one call while it waits. While it catches up, each page
 * costs what a read of it costs.
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
  const who = { name: `agent:${agent.id}` };
  const runStep = async <S extends Spec>(
    inner: Operation<S>,
    input: Input<S>,
  ): Promise<Output<S>> => {
    const result = await execute(eraseOperation(inner), {
      ...step,
      ...input,
      skipRateLimit: true,
    });
    const further = Math.ceil(Buffer.byteLength(result.body) / BYTES_PER_READ) - 1;
    if (further > 0) env.rateLimiter.charge('reads', who, further);
    return JSON.parse(String(result.body)) as Output<S>;
  };
  const readInTurn = async <S extends Spec>(inner: Operation<S>, input: Input<S>) => {
    await payForRead(env, who, signal);
    return readPieceInTurn(env.longReads, agent.id, () => runStep(inner, input));
  };
  const context = { hub: env.hub, signal, agent, run: runStep, readInTurn };
  const release = env.load.take('waits', { agentId: agent.id, address: call.address });
  const pieces = callStreamHandler(operation, context, call.query, headers);
  return releaseAtEnd(pieces, signal, release);
}

/** Takes the token of a read as soon as the agent has one. Errors: when the caller leaves. */
async function payForRead(
  { rateLimiter, clock }: Environment,
  who: RateSubject,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await rateLimiter.take('reads', who, clock(), () => {});
      return;
    } catch (error) {
      if (!(error instanceof StoaError) || error.code !== 'rate_limited') throw error;
      await sleep(Number(error.members.retryAfterSeconds ?? 1) * 1000, undefined, { signal });
    }
  }
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
