import { isCredentialed } from '../callers/callers.ts';
import type { Content } from '../content.ts';
import { StoaError } from '../errors.ts';
import { buildPageContent } from '../html/page.ts';
import { nameHolder } from '../limits/caller-names.ts';
import type { ContentOperation } from '../operation/content-operation.ts';
import { findMissingFeature } from '../scopes.ts';
import { callContentHandler } from './call-handler.ts';
import { buildContentContext } from './content-context.ts';
import type { Call, Environment } from './environment.ts';
import { guardCall } from './guard.ts';
import { buildHandlerContext, describeReader, nameCaller } from './handler-context.ts';
import { assertMayRead } from './reads/long-poll.ts';
import { runWithinLimits, waitsForOwn } from './reads/read-limits.ts';
import { readOrExplain } from './reads/run-read.ts';
import { shareNextRead } from './reads/share-next-read.ts';
import { getInputValidators } from './validators.ts';

interface OpenedContent {
  readonly content: Content;
  /** Whether the caller sent a credential, so that the answer may depend on it. */
  readonly credentialed: boolean;
  /** The name under which its caller takes turns. */
  readonly caller: string;
}

async function openForCaller(
  env: Environment,
  operation: ContentOperation,
  call: Call,
): Promise<OpenedContent> {
  const guarded = await guardCall(env, operation, call);
  const validators = getInputValidators(operation);
  validators.params(call.params);
  validators.query(call.query);

  const caller = nameCaller(guarded.caller, call);
  const more = buildContentContext(env, operation, call, caller);
  const { params, query } = call;
  const credentialed = isCredentialed(guarded.caller);
  const assertWanted = () => assertMayRead(call);
  const read = (assertMayBegin = () => {}) =>
    readOrExplain(guarded, buildHandlerContext(env, guarded), (reader) =>
      runWithinLimits(env, operation, describeReader(guarded.caller, call), query, (tx) => {
        assertMayBegin();
        return callContentHandler(operation, { ...reader, ...more, tx }, { params, query });
      }),
    );
  const isStranger = !credentialed && more.visitor === null;
  if (!operation.sameForStrangers || !isStranger)
    return { content: await read(assertWanted), credentialed, caller };
  call.reserveAnswer?.();
  const mayLead = () => !waitsForOwn(env, operation, caller, query);
  const content = await shareNextRead(env.db, JSON.stringify([operation.name, params, query]), {
    mayLead,
    read: () => read(),
    readAlone: () => read(assertWanted),
  });
  return { content, credentialed, caller };
}

/**
 * Finds content for a caller. It takes the same steps as a read, but the answer consists of bytes.
 */
export async function openContent(
  env: Environment,
  operation: ContentOperation,
  call: Call,
): Promise<OpenedContent> {
  try {
    return await openForCaller(env, operation, call);
  } catch (error) {
    const isOff = findMissingFeature(operation.feature, env.installation.features) !== undefined;
    if (
      !(isOff && operation.disabledPage) ||
      !(error instanceof StoaError) ||
      error.code !== 'capability_disabled'
    )
      throw error;
    return {
      content: buildPageContent(operation.disabledPage, {
        installation: env.installation,
        visitor: call.visitor ?? null,
      }),
      credentialed: false,
      caller: nameHolder(null, call.address),
    };
  }
}
