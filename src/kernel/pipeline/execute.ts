import { BlobsUnavailable } from '../../blobs/blobs.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/errors.ts';
import { admit, assertStillAdmitted } from './guard.ts';
import { isMutation } from '../operation/any-operation.ts';
import * as blobs from '../blobs.store.ts';
import { isCredentialed } from '../callers/callers.ts';
import type { BulkWrite, Closing, Notice } from '../../features/adjudication/closing.store.ts';
import { codesOf } from '../operation/error-codes.ts';
import type { Call, Environment, Execute, Result } from './environment.ts';
import { invalid, StoaError } from '../errors.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { inputOf, outputOf } from '../interface-of.ts';
import { Json } from '../schema/json.ts';
import type { Operation, Reached } from '../operation/operation.ts';
import { createReachOut } from '../reach-out.ts';
import { ofRace, type Repetition, repetitionOf } from './idempotent-call.ts';
import type { Context, Input, Reply, Spec, Writing } from '../operation/spec.ts';
import { receive, type Upload } from './uploads.ts';
import { waitForNews } from './long-poll.ts';

function validate(operation: Operation, call: Call): Input<Spec> {
  const check = inputOf(operation);
  const input = { params: call.params, query: call.query, body: call.body } as Input<Spec>;
  check.params(input.params);
  check.query(input.query);
  if (!operation.body && call.body !== undefined && JSON.stringify(call.body) !== '{}')
    throw invalid('/body', 'this operation takes none');
  if (operation.body && !(operation.bodyOptional && call.body === undefined))
    check.body(input.body);
  return input;
}

/** Whom these notices are for, each agent once. */
const addressees = (notices: readonly Notice[]): string[] => [
  ...new Set(notices.flatMap((notice) => notice.addressees.map(({ agentId }) => agentId))),
];

/** What handlers of all kinds get. */
type Common = Omit<Context, 'tx' | 'write' | 'record' | 'notify'>;

/** The one road to every handler: credential, rate, switch, scope, capability, schema, idempotency, handler, record, commit, wake. */
export function createExecutor(env: Environment): Execute {
  const reachOut = createReachOut(env);

  function serialize(operation: Operation, output: unknown): string | Buffer {
    const { stringify, fault } = outputOf(operation);
    const wrong = env.checkOutputs
      ? fault(output instanceof Json ? JSON.parse(String(output.text)) : output)
      : undefined;
    if (wrong) throw new Error(`The answer of ${operation.name} does not fit its schema: ${wrong}`);
    return output instanceof Json ? output.text : stringify(output);
  }

  async function read(
    operation: Operation,
    call: Call,
    common: Common & { agent: { id: string } | null },
    input: Input<Spec>,
  ): Promise<string | Buffer> {
    const { readFor } = operation;
    const once = async (step: Input<Spec>) => {
      const handle = (tx: Queryable) =>
        operation.handle({ ...common, tx } as unknown as Context, step);
      const work =
        readFor === undefined
          ? handle(operation.mayLag ? env.replica : env.db)
          : env.db.transaction(handle, { readFor, genericPlans: true });
      // The first step was admitted a moment ago; who waited since is asked again.
      return (
        await Promise.all([work, step === input ? null : assertStillAdmitted(env, operation, call)])
      )[0];
    };
    const { longPoll } = operation;
    const output =
      longPoll && common.agent
        ? await waitForNews(env.hub, common.agent.id, longPoll, input, once, call.signal)
        : await once(input);
    return serialize(operation, output);
  }

  async function write(
    operation: Operation,
    common: Common,
    input: Input<Spec>,
    repetition: Repetition | null,
    file: Upload | null,
    reached: Reached | undefined,
  ): Promise<string> {
    const part = async (tx: Transaction) => {
      const acts: Closing['acts'][number][] = [];
      const notices: Notice[] = [];
      const writes: Closing['writes'][number][] = [];
      const effects: Pick<Writing, 'write' | 'record' | 'notify'> = {
        write: (statement, row) =>
          void writes.push({ statement: statement as BulkWrite<unknown>, row }),
        record: (act) => {
          const id = env.newId();
          acts.push({ ...act, id });
          return id;
        },
        notify: (addressees, event) => void notices.push({ addressees, event }),
      };
      const text = String(
        serialize(
          operation,
          await operation.handle(
            { ...common, tx, ...effects } as unknown as Context,
            input,
            reached,
          ),
        ),
      );
      if (file) effects.write(blobs.keep, file.file.sha256);
      if (reached) repetition?.settle(tx);
      const closing = {
        now: common.now,
        issuer: env.installation,
        writes,
        acts,
        notices,
        record: repetition?.record(text) ?? null,
      };
      return { value: { text, notices }, closing };
    };
    const { shares } = operation;
    const { text, notices } = await env.share.run(
      shares === undefined
        ? null
        : String((input.params as Record<string, unknown>)[shares]).toLowerCase(),
      part,
    );
    env.hub.publish(addressees(notices));
    return text;
  }

  /** The answer of a mutation, and whether it was given before. */
  async function change(
    operation: Operation,
    common: Common,
    input: Input<Spec>,
    repetition: Repetition | null,
    upload: Upload | null = null,
  ): Promise<[body: string, replayed: boolean]> {
    const before = await repetition?.before();
    if (before != null) return [before, true];
    try {
      await upload?.store();
      const reached =
        operation.reach && (await reachOut(operation.reach, common, input, repetition));
      return [await write(operation, common, input, repetition, upload, reached), false];
    } catch (error) {
      // What became of it is not known; what was claimed is looked after later.
      if (error instanceof DatabaseUnavailable || error instanceof BlobsUnavailable) throw error;
      await upload?.release().catch(() => {});
      if (operation.reach) await repetition?.release().catch(() => {});
      const meanwhile = await repetition?.meanwhile();
      if (meanwhile != null) return [meanwhile, true];
      throw ofRace(error);
    }
  }

  const execute: Execute = async (operation, call) => {
    const admission = await admit(env, operation, call);
    const { at, now, caller, agent } = admission;
    const reply: Reply = {};
    const done = (body: string | Buffer, replayed = false): Result => ({
      body,
      replayed,
      reply,
      credentialed: isCredentialed(caller),
    });
    const { newId, random, installation, signer, vault, safe } = env;
    const common = {
      at,
      now,
      newId,
      random,
      installation,
      sign: signer.sign,
      vault,
      safe,
      reply,
      agent,
      key: caller.key,
      administrator: caller.administrator,
      guest: caller.guest,
    };

    if (!isMutation(operation))
      return done(await read(operation, call, common, validate(operation, call)));

    const key = readIdempotencyKey(call.idempotencyKey, operation);
    const input = validate(operation, call);
    const repetition = (whole: Input<Spec>) =>
      key === null ? null : repetitionOf(env, operation, call, admission, whole, key);
    if (!operation.mayUpload)
      return done(...(await change(operation, common, input, repetition(input))));

    await operation
      .mayUpload({ ...common, tx: env.db } as never, input)
      .catch(async (error: unknown) => {
        // The stored answer counts, whatever may be done by now.
        if (!(error instanceof StoaError && (await repetition(input)?.known()))) throw error;
      });
    const upload = await receive(env, call, now);
    const whole = (body: unknown) => ({ ...input, body }) as Input<Spec>;
    return done(
      ...(await change(
        operation,
        common,
        whole(upload.file),
        repetition(whole(upload.print)),
        upload,
      ).finally(upload.discard)),
    );
  };

  /** For tests: an error that an operation does not declare is a defect, not an answer. */
  const held: Execute = async (operation, call) => {
    try {
      return await execute(operation, call);
    } catch (error) {
      if (!(error instanceof StoaError) || codesOf(operation).includes(error.code)) throw error;
      throw new Error(`${operation.name} answered ${error.code}, which it does not declare.`, {
        cause: error,
      });
    }
  };
  return env.checkOutputs ? held : execute;
}
