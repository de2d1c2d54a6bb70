import type { Queryable } from '../../db/database.ts';
import { admit, assertStillAdmitted } from './guard.ts';
import { isCredentialed } from '../callers/callers.ts';
import type { Content } from '../content.ts';
import type { ContentOperation } from '../operation/content-operation.ts';
import type { Call, Environment } from './environment.ts';
import { StoaError } from '../errors.ts';
import { inputOf } from '../interface-of.ts';
import { pageContent } from '../html/page.ts';

interface Opened {
  readonly content: Content;
  /** Whether the answer may depend on who asked. */
  readonly credentialed: boolean;
}

async function open(env: Environment, operation: ContentOperation, call: Call): Promise<Opened> {
  const { at, now, caller, agent } = await admit(env, operation, call);
  const check = inputOf(operation);
  check.params(call.params);
  check.query(call.query);

  const { newId, random, installation, signer, vault, safe, blobs, openApi } = env;
  const signal = call.signal ?? new AbortController().signal;
  const agentNow = () => assertStillAdmitted(env, operation, call);
  const context = {
    at,
    now,
    newId,
    random,
    installation,
    sign: signer.sign,
    vault,
    safe,
    reply: {},
    blobs,
    openApi,
    signal,
    agentNow,
    readLong: <Result>(readFor: number, work: (tx: Queryable) => Promise<Result>) =>
      env.db.transaction(work, { readFor, genericPlans: true }),
    visitor: call.visitor ?? null,
    agent,
    key: caller.key,
    administrator: caller.administrator,
  };
  const find = (tx: Queryable) =>
    operation.find(
      { ...context, tx } as never,
      { params: call.params, query: call.query } as never,
    );
  const { readFor } = operation;
  const content = await (readFor === undefined
    ? find(env.db)
    : env.db.transaction(find, { readFor, genericPlans: true }));
  return { content, credentialed: isCredentialed(caller) };
}

/** Finds content for a caller: the pipeline of a read, but that the answer is bytes. */
export async function openContent(
  env: Environment,
  operation: ContentOperation,
  call: Call,
): Promise<Opened> {
  try {
    return await open(env, operation, call);
  } catch (error) {
    if (!operation.off || !(error instanceof StoaError) || error.code !== 'capability_disabled')
      throw error;
    return {
      content: pageContent(operation.off, {
        installation: env.installation,
        visitor: call.visitor ?? null,
      }),
      credentialed: false,
    };
  }
}
