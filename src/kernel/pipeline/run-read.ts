import type { Agent, GuardedCall } from '../callers/caller.ts';
import { type ErrorCode, StoaError } from '../errors.ts';
import { hidingCodes } from '../operation/error-codes.ts';
import { fitAnswer } from '../operation/fit-answer.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Spec } from '../operation/spec.ts';
import { callHandler } from './call-handler.ts';
import type { Call, Environment } from './environment.ts';
import { assertStillAllowed } from './guard.ts';
import { type HandlerContext, nameCaller } from './handler-context.ts';
import { assertReaderStays, waitForNews } from './long-poll.ts';
import { runWithinLimits } from './read-limits.ts';
import { serializeOutput } from './serialize-output.ts';

/** Runs a read and returns the serialized body. A long poll waits for news. */
export async function runRead(
  env: Environment,
  operation: Operation,
  call: Call,
  context: HandlerContext,
  input: Input<Spec>,
): Promise<string | Buffer> {
  const { longPoll } = operation;
  const { agent } = context;
  const read = (step: Input<Spec>) =>
    runWithinLimits(env, operation, nameCaller(context, call), step.query, (tx) => {
      assertReaderStays(call);
      return callHandler(operation, { ...context, tx }, step);
    });
  const readAgain = async (step: Input<Spec>) => {
    // The guard checked the caller just before the first read. After a wait, the check is repeated.
    if (step === input) return read(step);
    // Waits of one agent that are woken together read once.
    const { deliveries } = env.hub;
    const key = JSON.stringify([deliveries, operation.name, call.credentials, step]);
    const shared = await env.shareReads(key, async () => {
      const [output] = await Promise.all([read(step), assertStillAllowed(env, operation, call)]);
      return { output, reply: context.reply };
    });
    Object.assign(context.reply, shared.reply);
    return shared.output;
  };
  const finish = (output: unknown) => {
    const { readStreamTo } = context.reply;
    if (readStreamTo !== undefined && agent)
      env.usage.recordStreamRead(agent.id, { at: context.now, to: readStreamTo });
    const body = serializeOutput(operation, output, env.checkOutputs);
    // A budget shortens what is sent, and not what was computed.
    if (!call.skipRateLimit) call.onComputed?.(Buffer.byteLength(body));
    return fitAnswer(operation, body, input.query, context.reply, call.budgetReserve);
  };
  if (!longPoll || !agent || longPoll.seconds(input) === 0) return finish(await read(input));
  // A stream counts as one wait, whatever its steps do.
  const release = call.skipRateLimit
    ? () => {}
    : env.load.take('waits', { agentId: agent.id, address: call.address });
  try {
    const output = await waitForNews(env.hub, agent.id, longPoll, input, readAgain, call);
    return finish(output);
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
