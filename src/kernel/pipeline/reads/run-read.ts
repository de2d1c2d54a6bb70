import type { Agent, GuardedCall } from '../../callers/caller.ts';
import { type ErrorCode, StoaError } from '../../errors.ts';
import { hidingCodes } from '../../operation/error-codes.ts';
import { fitAnswer } from '../../operation/fit-answer.ts';
import type { Operation } from '../../operation/operation.ts';
import type { Input, Output, Spec } from '../../operation/spec.ts';
import { RawJson } from '../../schema/json.ts';
import { serializeInTurns } from '../../schema/sliced-serializer.ts';
import { callHandler } from '../call-handler.ts';
import type { Call, Environment, FinishedRead } from '../environment.ts';
import { assertStillAllowed } from '../guard.ts';
import { describeReader, type HandlerContext } from '../handler-context.ts';
import { serializeOutput } from '../serialize-output.ts';
import { assertMayRead, assertReaderStays, waitForNews } from './long-poll.ts';
import { mayBeLarge, runWithinLimits } from './read-limits.ts';

/**
 * Runs a read and returns the finished answer. A long poll waits for news. Calls with one
 * credential that are woken together, and steps of its streams, share the read and its answer.
 */
export async function runRead(
  env: Environment,
  operation: Operation,
  call: Call,
  context: HandlerContext,
  input: Input<Spec>,
): Promise<FinishedRead> {
  const { longPoll } = operation;
  const { agent, reply } = context;
  const isStep = call.skipRateLimit === true;
  // A long read has its turn already, and must not wait for another one while others wait for it.
  const limited = call.isLong ? { ...operation, mayBeLarge: () => false } : operation;
  const isLarge = mayBeLarge(operation, input.query);
  const finish = (output: unknown, onComputed?: Call['onComputed']) => {
    const whole = serializeOutput(operation, output, env.checkOutputs);
    const computedBytes = Buffer.byteLength(whole);
    // A budget shortens what is sent, and not what was computed.
    onComputed?.(computedBytes);
    const body = fitAnswer(operation, whole, input.query, reply, call.budgetReserve);
    return { body, computedBytes };
  };
  const write = async (output: Output<Spec> | RawJson): Promise<Output<Spec> | RawJson> => {
    // A long poll waits if there is nothing.
    if (!isLarge || output instanceof RawJson || longPoll?.isEmpty(output)) return output;
    // It leaves its turn when it is written, so that few are in memory at once.
    return new RawJson(await serializeInTurns(operation.output, output));
  };
  const read = (step: Input<Spec>, assertWanted = () => {}, onRead?: (output: unknown) => void) =>
    runWithinLimits(env, limited, describeReader(context, call), step.query, async (tx) => {
      assertWanted();
      const output = await write(await callHandler(operation, { ...context, tx }, step));
      onRead?.(output);
      return output;
    });
  const recordRead = () => {
    if (reply.readStreamTo === undefined || !agent) return;
    const from = call.startedAfter ?? 0;
    env.usage.recordStreamRead(agent.id, { at: context.now, from, to: reply.readStreamTo });
  };
  let shared: FinishedRead | undefined;
  const readTogether = async (step: Input<Spec>) => {
    // Somebody who left must not fail the read of the others.
    assertReaderStays(call);
    const isFirst = step === input;
    const key = JSON.stringify([
      env.hub.deliveries,
      isFirst,
      operation.name,
      call.credentials,
      call.budgetReserve,
      step,
    ]);
    const readOnce = async () => {
      // The guard checked the caller just before the first read. After a wait, the check is
      // repeated.
      const checked = isFirst ? null : assertStillAllowed(env, operation, call);
      const [output] = await Promise.all([read(step), checked]);
      return { output, finished: finish(output), reply };
    };
    const inTurn = () => env.longReads.readPiece(agent?.id ?? '', readOnce);
    const result = await env.shareReads(key, call.isLong ? inTurn : readOnce);
    Object.assign(reply, result.reply);
    shared = result.finished;
    return result.output;
  };
  let isPaid = false;
  /** Whoever has the next turn, perhaps the same caller, must see what the one before has cost. */
  const payWhole = (output: unknown) => {
    if (!(output instanceof RawJson)) return;
    isPaid = true;
    call.onComputed?.(Buffer.byteLength(output.text));
  };
  const readFirst = async () => {
    const output = await read(input, () => assertMayRead(call), payWhole);
    shared = undefined;
    return output;
  };
  const settle = (output: unknown): FinishedRead => {
    recordRead();
    const onComputed = isStep || isPaid ? undefined : call.onComputed;
    if (!shared) return finish(output, onComputed);
    onComputed?.(shared.computedBytes);
    return shared;
  };
  const readNext = (step: Input<Spec>) =>
    step === input && !isStep ? readFirst() : readTogether(step);
  if (!longPoll || !agent || longPoll.seconds(input) === 0) return settle(await readNext(input));
  // A stream counts as one wait, whatever its steps do.
  const release = isStep
    ? () => {}
    : env.load.take('waits', { agentId: agent.id, address: call.address });
  try {
    return settle(
      await waitForNews({ hub: env.hub, agentId: agent.id }, longPoll, input, readNext, call),
    );
  } finally {
    release();
  }
}

/** Returns the code with which a read fails, or null when it succeeds. */
const findCode = (reading: Promise<unknown>): Promise<ErrorCode | null> =>
  reading.then(
    () => null,
    (error: unknown) => {
      if (error instanceof StoaError) return error.code;
      throw error;
    },
  );

/**
 * Runs a public read. With a key without the right it reads like anyone. If that is refused, it is
 * tried as the key's agent: an agent whom the thing concerns learns what its key lacks, and anyone
 * else gets the answer that there is no such thing, at the same cost.
 * Errors: those of the read; `insufficient_scope`, `capability_not_active`, `capability_revoked`.
 */
export async function readOrExplain<Result>(
  { refusal, caller }: Pick<GuardedCall, 'refusal' | 'caller'>,
  context: HandlerContext,
  read: (context: HandlerContext) => Promise<Result>,
): Promise<Result> {
  if (!refusal) return read(context);
  try {
    return await read(context);
  } catch (error) {
    if (!(error instanceof StoaError) || !hidingCodes.includes(error.code)) throw error;
    const asAgent = { ...context, reply: {}, agent: caller.agent as Agent };
    throw (await findCode(read(asAgent))) === error.code ? error : refusal;
  }
}
