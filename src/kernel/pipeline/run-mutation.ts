import { BlobsUnavailable } from '../../blobs/blobs.ts';
import { DatabaseUnavailable } from '../../db/database-errors.ts';
import { type Allowances, takeAllowances } from './allowances.ts';
import { callRefresh } from './call-handler.ts';
import type { Environment } from './environment.ts';
import {
  handleAndCommit,
  handleWithNews,
  type Mutation,
} from './group-commit/handle-and-commit.ts';
import { nameCaller } from './handler-context.ts';
import { toConflictError } from './idempotent-call.ts';
import type { RunExternalCall } from './run-external-call.ts';
import { serializeOutput } from './serialize-output.ts';

/** The body of an answer, and whether it was stored by an earlier call. */
interface MutationResult {
  readonly body: string;
  readonly replayed: boolean;
}

/** Returns a stored answer, brought up to date where the operation does so. */
async function refreshReplay(
  env: Environment,
  { operation, context, input }: Mutation,
  stored: string,
): Promise<MutationResult> {
  if (!operation.refresh) return { body: stored, replayed: true };
  const reading = { ...context, tx: env.db };
  const output = await callRefresh(operation, reading, input, JSON.parse(stored));
  return { body: String(serializeOutput(operation, output, env.checkOutputs)), replayed: true };
}

/** Releases what a failed mutation claimed. */
async function releaseClaims({ operation, idempotentCall, upload }: Mutation): Promise<void> {
  await upload?.release().catch(() => {});
  if (operation.externalCall) await idempotentCall?.releaseKey().catch(() => {});
}

/** Runs a mutation that no earlier call has answered. */
async function runNew(
  env: Environment,
  runExternalCall: RunExternalCall,
  mutation: Mutation,
): Promise<MutationResult> {
  const { operation, call, guarded, context, input, idempotentCall, upload } = mutation;
  let allowances: Allowances | null = null;
  try {
    allowances = await takeAllowances(env, operation, call, guarded, input, upload);
    await upload?.store();
    if (operation.externalCall) call.onWait?.();
    const externalResult =
      operation.externalCall &&
      (await runExternalCall(
        nameCaller(guarded.caller, call),
        operation.externalCall,
        context,
        input,
        idempotentCall,
      ));
    if (operation.longPoll) {
      const body = await handleWithNews(env, mutation, operation.longPoll, allowances);
      return { body, replayed: false };
    }
    const { body } = await handleAndCommit(env, mutation, allowances, externalResult);
    return { body, replayed: false };
  } catch (error) {
    // The outcome is unknown, so nothing may be released or given back. Claims expire on their own.
    if (error instanceof DatabaseUnavailable || error instanceof BlobsUnavailable) throw error;
    allowances?.giveBack();
    await releaseClaims(mutation);
    const concurrentReplay = await idempotentCall?.findConcurrentReplay();
    if (concurrentReplay != null) return refreshReplay(env, mutation, concurrentReplay);
    throw toConflictError(error);
  }
}

/**
 * Runs a mutation at most once for its idempotency key.
 * Errors: the operation's own, and those of `findReplay`.
 */
export async function runMutation(
  env: Environment,
  runExternalCall: RunExternalCall,
  mutation: Mutation,
): Promise<MutationResult> {
  const { operation, idempotentCall } = mutation;
  const replay = await idempotentCall?.findReplay();
  if (replay != null) return refreshReplay(env, mutation, replay);
  if (!idempotentCall || operation.batchBy === undefined)
    return runNew(env, runExternalCall, mutation);
  return env.twinCalls.run(idempotentCall.name, async (hadTwin) => {
    const answered = hadTwin ? await idempotentCall.findConcurrentReplay() : null;
    if (answered !== null) return refreshReplay(env, mutation, answered);
    return runNew(env, runExternalCall, mutation);
  });
}
