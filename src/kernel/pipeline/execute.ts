import type { GuardedCall } from '../callers/caller.ts';
import { isCredentialed } from '../callers/callers.ts';
import { StoaError } from '../errors.ts';
import { isMutation } from '../operation/any-operation.ts';
import { listErrorCodes } from '../operation/error-codes.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Spec } from '../operation/spec.ts';
import { callMayUpload, toInput } from './call-handler.ts';
import type { Call, CallResult, Environment, Execute } from './environment.ts';
import { assertStillAllowed, guardCall } from './guard.ts';
import { buildHandlerContext, type HandlerContext, nameCaller } from './handler-context.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { beginIdempotentCall, type IdempotentCall } from './idempotent-call.ts';
import { readOrExplain, runRead } from './reads/run-read.ts';
import { createExternalCallRunner } from './run-external-call.ts';
import { runMutation } from './run-mutation.ts';
import { reserveUpload } from './uploads/reserve-upload.ts';
import { receiveUpload, type Upload } from './uploads/uploads.ts';
import { validateInput } from './validate-input.ts';

/**
 * Creates the pipeline. Every call of a handler passes through it:
 *
 * 1. The guard checks the credential, rate limit, feature, scope and capability. An edge that
 *    reads a body has called it before.
 * 2. The idempotency key and the input are validated.
 * 3. A read runs and ends here. A mutation continues:
 * 4. An upload is received completely, after its operation has agreed and its bytes are reserved.
 * 5. A stored answer is replayed.
 * 6. Bytes of the day and mentions are taken, as many as the call may use up.
 * 7. An external call is made, outside of any transaction.
 * 8. The handler runs in a transaction, which commits its effects and idempotency record.
 * 9. Agents that wait for the events are woken.
 */
export function createExecutor(env: Environment): Execute {
  const runExternalCall = createExternalCallRunner(env);

  async function runUpload(
    operation: Operation,
    call: Call,
    guarded: GuardedCall,
    context: HandlerContext,
    input: Input<Spec>,
    begin: (whole: Input<Spec>) => IdempotentCall | null,
  ) {
    try {
      await callMayUpload(operation, { ...context, tx: env.db }, input);
    } catch (error) {
      // A stored answer is replayed even if the caller has lost the right to upload since.
      const isReplay = error instanceof StoaError && (await begin(input)?.hasReplay());
      if (!isReplay) throw error;
    }
    const agentId = guarded.caller.agent?.id ?? null;
    const endUpload = env.load.take('uploads', { agentId, address: call.address });
    let upload: Upload | undefined;
    try {
      const isReplay = async () => (await begin(input)?.hasReplay()) ?? false;
      const whose = nameCaller(guarded.caller, call);
      call.onWait?.();
      upload = await receiveUpload(env, whose, call, context.now, (bytes) =>
        reserveUpload(env, operation, call, guarded, bytes, isReplay),
      );
      // Until all bytes have arrived, a key may be revoked or an agent blocked.
      await assertStillAllowed(env, operation, call);
      // Two uploads are the same request when their bytes, names and types are the same.
      const idempotentCall = begin(toInput({ ...input, body: upload.fingerprint }));
      const whole = toInput({ ...input, body: upload.file });
      const mutation = { operation, call, guarded, context, input: whole, idempotentCall, upload };
      return { ...(await runMutation(env, runExternalCall, mutation)), read: null };
    } finally {
      endUpload();
      await upload?.discard();
    }
  }

  async function run(
    operation: Operation,
    call: Call,
    guarded: GuardedCall,
    context: HandlerContext,
  ): Promise<Pick<CallResult, 'body' | 'replayed' | 'read'>> {
    if (!isMutation(operation)) {
      const input = validateInput(operation, call);
      const read = await readOrExplain(guarded, context, (reader) =>
        runRead(env, operation, call, reader, input),
      );
      return { body: read.body, replayed: false, read };
    }
    const key = readIdempotencyKey(call.idempotencyKey, operation, guarded.at);
    const input = validateInput(operation, call);
    const begin = (whole: Input<Spec>) =>
      key === null ? null : beginIdempotentCall(env, operation, call, guarded, whole, key);
    if (operation.mayUpload) return runUpload(operation, call, guarded, context, input, begin);
    const result = await runMutation(env, runExternalCall, {
      operation,
      call,
      guarded,
      context,
      input,
      idempotentCall: begin(input),
      upload: null,
    });
    return { ...result, read: null };
  }

  const execute: Execute = async (operation, call) => {
    const guarded = call.guarded ?? (await guardCall(env, operation, call));
    const context = buildHandlerContext(env, guarded, call.visitor);
    const { body, replayed, read } = await run(operation, call, guarded, context);
    const credentialed = isCredentialed(guarded.caller);
    return { body, replayed, read, reply: context.reply, credentialed };
  };
  return env.checkOutputs ? rejectUndeclaredErrors(execute) : execute;
}

/** Turns an error that the operation does not declare into a defect. This is for tests. */
function rejectUndeclaredErrors(execute: Execute): Execute {
  return async (operation, call) => {
    try {
      return await execute(operation, call);
    } catch (error) {
      if (!(error instanceof StoaError) || listErrorCodes(operation).includes(error.code))
        throw error;
      const message = `${operation.name} answered ${error.code}, which it does not declare.`;
      throw new Error(message, { cause: error });
    }
  };
}
