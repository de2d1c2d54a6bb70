import { admit, assertStillAdmitted } from './admit.ts';
import { isCredentialed } from './callers.ts';
import type { Call, Environment } from './environment.ts';
import { inputOf } from './interface-of.ts';
import type { Content, ContentOperation } from './operation.ts';

/** Finds content for a caller: the pipeline of a read, but that the answer is bytes. */
export async function openContent(
  env: Environment,
  operation: ContentOperation,
  call: Call,
): Promise<{ readonly content: Content /** Whether the answer may depend on who asked. */; readonly credentialed: boolean }> {
  const { at, now, caller, agent } = await admit(env, operation, call);
  const check = inputOf(operation);
  check.params(call.params);
  check.query(call.query);

  const { newId, random, installation, signer, vault, blobs } = env;
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
    reply: {},
    tx: env.db,
    blobs,
    signal,
    agentNow,
    agent,
    key: caller.key,
    administrator: caller.administrator,
  };
  const content = await operation.find(context as never, { params: call.params, query: call.query } as never);
  return { content, credentialed: isCredentialed(caller) };
}
