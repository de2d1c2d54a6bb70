import * as claims from '../../blobs/blob-claims.store.ts';
import { BlobsUnavailable } from '../../blobs/blobs.ts';
import type { Transaction } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/database-errors.ts';
import type { GuardedCall } from '../callers/caller.ts';
import { listAddressees } from '../effects.ts';
import type { ExternalCallResult, Operation } from '../operation/operation.ts';
import type { Input, Spec } from '../operation/spec.ts';
import { type Allowances, countStoredBytes, takeAllowances } from './allowances.ts';
import { callHandler } from './call-handler.ts';
import { createEffectCollector } from './collect-effects.ts';
import type { Call, Environment } from './environment.ts';
import { dropMutedNotices } from './group-commit/drop-muted-notices.ts';
import type { BatchMember } from './group-commit/group-commit.ts';
import type { HandlerContext } from './handler-context.ts';
import { type IdempotentCall, toConflictError } from './idempotent-call.ts';
import type { RunExternalCall } from './run-external-call.ts';
import { serializeOutput } from './serialize-output.ts';
import type { Upload } from './uploads/uploads.ts';

/** A mutation whose caller and input were checked. */
export interface Mutation {
  readonly operation: Operation;
  readonly call: Call;
  readonly guarded: GuardedCall;
  readonly context: HandlerContext;
  readonly input: Input<Spec>;
  /** Null when the call has no idempotency key. */
  readonly idempotentCall: IdempotentCall | null;
  /** The received file, if the operation takes one. */
  readonly upload: Upload | null;
}

/** The body of an answer, and whether it was stored by an earlier call. */
interface MutationResult {
  readonly body: string;
  readonly replayed: boolean;
}

/** Finds as what a call joins a batch. Returns null when the call commits alone. */
function findBatchMember(
  { batchBy }: Operation,
  { params, body }: Input<Spec>,
  { caller }: GuardedCall,
): BatchMember | null {
  if (batchBy === undefined) return null;
  const values = params as Readonly<Record<string, unknown>>;
  return {
    key: String(values[batchBy]).toLowerCase(),
    caller: caller.agent?.id ?? '',
    bytes: countStoredBytes(body, null),
  };
}

/** Runs the handler and commits its effects, then wakes the addressees of its events. */
async function handleAndCommit(
  env: Environment,
  { operation, guarded, context, input, idempotentCall, upload }: Mutation,
  allowances: Allowances | null,
  externalResult: ExternalCallResult | undefined,
): Promise<string> {
  const work = async (tx: Transaction) => {
    const effects = createEffectCollector(env.newId, env.installation, context.now);
    const { write, record, notify } = effects;
    const handlerContext = { ...context, tx, write, record, notify };
    const output = await callHandler(operation, handlerContext, input, externalResult);
    const body = String(serializeOutput(operation, output, env.checkOutputs));
    const notices = await dropMutedNotices(tx, effects.notices);
    if (upload) write(claims.endClaims, upload.file.sha256);
    if (externalResult) idempotentCall?.settleKey(tx);
    return {
      value: { body, notices },
      effects: effects.build(notices, idempotentCall?.buildRecord(body) ?? null),
    };
  };
  const member = findBatchMember(operation, input, guarded);
  const { body, notices } = await env.groupCommit.run(member, work);
  allowances?.settle(notices);
  env.hub.publish(listAddressees(notices));
  return body;
}

/** Releases what a failed mutation claimed. */
async function releaseClaims({ operation, idempotentCall, upload }: Mutation): Promise<void> {
  await upload?.release().catch(() => {});
  if (operation.externalCall) await idempotentCall?.releaseKey().catch(() => {});
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
  const { operation, call, guarded, context, input, idempotentCall, upload } = mutation;
  const replay = await idempotentCall?.findReplay();
  if (replay != null) return { body: replay, replayed: true };
  let allowances: Allowances | null = null;
  try {
    allowances = await takeAllowances(env, operation, call, guarded, input, upload);
    await upload?.store();
    const externalResult =
      operation.externalCall &&
      (await runExternalCall(operation.externalCall, context, input, idempotentCall));
    const body = await handleAndCommit(env, mutation, allowances, externalResult);
    return { body, replayed: false };
  } catch (error) {
    // The outcome is unknown, so nothing may be released or given back. Claims expire on their own.
    if (error instanceof DatabaseUnavailable || error instanceof BlobsUnavailable) throw error;
    allowances?.giveBack();
    await releaseClaims(mutation);
    const concurrentReplay = await idempotentCall?.findConcurrentReplay();
    if (concurrentReplay != null) return { body: concurrentReplay, replayed: true };
    throw toConflictError(error);
  }
}
