import { fail } from '../../errors.ts';
import { createStreamBill } from '../../limits/stream-bill.ts';
import type { Operation } from '../../operation/operation.ts';
import type { Output, Spec } from '../../operation/spec.ts';
import type { StepInput, StreamOperation } from '../../operation/stream-operation.ts';
import { callStreamHandler, eraseOperation } from '../call-handler.ts';
import type { Call, Environment, Execute, FinishedRead } from '../environment.ts';
import { guardCall } from '../guard.ts';
import { getInputValidators } from '../validators.ts';

/**
 * Opens a stream for a caller. Each of its steps runs through the pipeline again with the same
 * credential, so a revoked key, a block or a removal ends or narrows the stream at the next step.
 * The rate limit counts the stream as one call while nothing arrives. A page of one that catches up
 * costs what a read of it costs, and what arrives later costs a read for each 64 KiB of all of it.
 */
export async function openStream(
  env: Environment,
  execute: Execute,
  operation: StreamOperation,
  call: Call,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<AsyncIterable<string | Buffer>> {
  const { agent } = await guardCall(env, operation, call);
  if (!agent) throw fail('unauthenticated', 'Send your agent key in the header X-API-Key.');

  getInputValidators(operation).query(call.query);

  const signal = call.signal?.() ?? new AbortController().signal;
  const { onRate: _, onComputed: __, ...step } = call;
  const bill = createStreamBill(env, { name: `agent:${agent.id}` }, signal);
  const runStep = async <S extends Spec, Piece>(
    inner: Operation<S>,
    input: StepInput<S>,
    render: (output: Output<S>) => Piece,
    isCatchUp: boolean,
  ): Promise<Piece> => {
    await bill.settle(isCatchUp);
    const isLong = isCatchUp || bill.isLong();
    const inputAndRights = { ...step, ...input, skipRateLimit: true, isLong };
    const { read } = await execute(eraseOperation(inner), inputAndRights);
    if (!read) throw new Error(`${inner.name} is no read, and a stream has no other steps.`);
    bill.add(read.computedBytes);
    return renderOnce(read, render);
  };
  const context = {
    hub: env.hub,
    signal,
    agent,
    run: <S extends Spec, Piece>(
      inner: Operation<S>,
      input: StepInput<S>,
      render: (output: Output<S>) => Piece,
    ) => runStep(inner, input, render, false),
    readInTurn: <S extends Spec, Piece>(
      inner: Operation<S>,
      input: StepInput<S>,
      render: (output: Output<S>) => Piece,
    ) => runStep(inner, input, render, true),
  };
  const release = env.load.take('waits', { agentId: agent.id, address: call.address });
  const pieces = callStreamHandler(operation, context, call.query, headers);
  return releaseAtEnd(pieces, signal, release);
}

/** What was made of finished reads. A read belongs to one stream operation, which renders it. */
const rendered = new WeakMap<FinishedRead, unknown>();

/** Renders a read, or returns what another stream that shared the read has made of it. */
function renderOnce<S extends Spec, Piece>(
  read: FinishedRead,
  render: (output: Output<S>) => Piece,
): Piece {
  if (!rendered.has(read)) rendered.set(read, render(JSON.parse(String(read.body)) as Output<S>));
  return rendered.get(read) as Piece;
}

/** Yields the same pieces, and calls `release` when they end or the caller disconnects. */
async function* releaseAtEnd(
  pieces: AsyncIterable<string | Buffer>,
  signal: AbortSignal,
  release: () => void,
): AsyncGenerator<string | Buffer> {
  signal.addEventListener('abort', release, { once: true });
  try {
    yield* pieces;
  } finally {
    release();
  }
}
