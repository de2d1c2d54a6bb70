import * as claims from '../../../blobs/blob-claims.store.ts';
import type { Transaction } from '../../../db/database.ts';
import type { GuardedCall } from '../../callers/caller.ts';
import { toIso } from '../../clock.ts';
import { listAddressees } from '../../effects.ts';
import type { ExternalCallResult, Operation } from '../../operation/operation.ts';
import type { Input, Spec } from '../../operation/spec.ts';
import { RawJson } from '../../schema/json.ts';
import type { Allowances } from '../allowances.ts';
import { callHandler } from '../call-handler.ts';
import { createEffectCollector } from '../collect-effects.ts';
import type { Call, Environment } from '../environment.ts';
import { assertStillAllowed } from '../guard.ts';
import { type HandlerContext, nameCaller } from '../handler-context.ts';
import type { IdempotentCall } from '../idempotent-call.ts';
import { assertReaderStays, waitForNews } from '../reads/long-poll.ts';
import { serializeOutput } from '../serialize-output.ts';
import type { Upload } from '../uploads/uploads.ts';
import { assertEffectsPaid, chargeEffects, countEffects } from './charge-effects.ts';
import { describeCommit } from './describe-commit.ts';
import { dropMutedNotices } from './drop-muted-notices.ts';

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
  /** Whether it was woken, and has a turn that others wait for. */
  readonly hasTurn?: boolean;
}

/** The output of a handler, as a value and as the body of an answer. */
interface Handled {
  readonly output: Awaited<ReturnType<Operation['handle']>>;
  readonly body: string;
}

/**
 * Runs the handler and commits its effects, then wakes the addressees of its events. An answer
 * without news is stored for a repeat only if it is the last one (`isLast`).
 */
export async function handleAndCommit(
  env: Environment,
  { operation, call, guarded, context, input, idempotentCall, upload, hasTurn = false }: Mutation,
  allowances: Allowances | null,
  externalResult: ExternalCallResult | undefined,
  isLast = true,
): Promise<Handled> {
  const work = async (tx: Transaction, earlier: Promise<number>) => {
    // A call whose caller left while it waited does nothing, unless its file was stored or its
    // external call was made.
    if (!upload && !externalResult) {
      assertReaderStays(call);
      assertEffectsPaid(env, operation, guarded);
    }
    const effects = createEffectCollector(env.newId, env.installation, context.now);
    const { write, record, notify, notifyLater, wake, topics } = effects;
    let holdsLater = false;
    const order = {
      countEarlier: () => earlier,
      holdLater() {
        holdsLater = true;
      },
    };
    const handlerContext = { ...context, tx, write, record, notify, notifyLater, wake, ...order };
    const output = await callHandler(operation, handlerContext, input, externalResult);
    const body = String(serializeOutput(operation, output, env.checkOutputs));
    const notices = await dropMutedNotices(tx, effects.notices);
    if (upload) write(claims.endClaims, upload.file.sha256);
    if (externalResult) idempotentCall?.settleKey(tx);
    const isFinal = isLast || output instanceof RawJson || !operation.longPoll?.isEmpty(output);
    const answerRecord = isFinal ? idempotentCall?.buildRecord(body) : undefined;
    const built = effects.build(notices, answerRecord ?? null);
    const counts = countEffects(built, effects.toldLater);
    return {
      value: { output, body, notices, topics, isFinal, counts },
      effects: built,
      holdsLater,
    };
  };
  const shape = { ...describeCommit(operation, input), hasTurn };
  const whose = nameCaller(guarded.caller, call);
  const committed = await env.groupCommit.run(whose, shape, work);
  const { notices, topics, isFinal, counts, ...handled } = committed;
  if (isFinal) allowances?.settle(notices);
  chargeEffects(env, guarded, counts);
  env.hub.publish([...listAddressees(notices), ...topics]);
  return handled;
}

/**
 * Runs a mutation that waits for something to act on. The caller is checked again after waits.
 * Callers that were woken act one after the other.
 */
export async function handleWithNews(
  env: Environment,
  mutation: Mutation,
  longPoll: NonNullable<Operation['longPoll']>,
  allowances: Allowances | null,
): Promise<string> {
  const { operation, call, guarded, context, input } = mutation;
  const agentId = guarded.caller.agent?.id ?? '';
  let body = '';
  const act = async (step: Input<Spec>, at: number, isLast: boolean, hasTurn = false) => {
    const now = toIso(at);
    const current = { ...mutation, input: step, context: { ...context, at, now }, hasTurn };
    const handled = await handleAndCommit(env, current, allowances, undefined, isLast);
    body = handled.body;
    return handled.output;
  };
  const attempt = (step: Input<Spec>, isLast: boolean) =>
    body === ''
      ? act(step, context.at, isLast)
      : env.wokenMutations.run(async () => {
          // Nothing is taken for a caller that nobody can tell.
          assertReaderStays(call);
          await assertStillAllowed(env, operation, call);
          return act(step, env.clock(), isLast, true);
        }, agentId);
  const { mayKnow } = longPoll;
  const waiter = {
    hub: env.hub,
    agentId,
    // When it fails, the recheck looks: an error would tell of the news as well.
    ...(mayKnow && {
      mayKnow: (places: readonly string[]) =>
        env
          .askMayKnow(mayKnow)({ agentId, places })
          .catch(() => false),
    }),
  };
  const release =
    longPoll.seconds(input) === 0
      ? () => {}
      : env.load.take('waits', { agentId, address: call.address });
  try {
    await waitForNews(waiter, longPoll, input, attempt, call);
    return body;
  } finally {
    release();
  }
}
