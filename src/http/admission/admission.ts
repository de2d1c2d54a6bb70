import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, GuardedCall } from '../../kernel/callers/caller.ts';
import { isContextKey } from '../../kernel/crypto/credentials.ts';
import { listAddressSubjects } from '../../kernel/limits/rate-limit-subjects.ts';
import type { AnyOperation } from '../../kernel/operation/any-operation.ts';
import type { Call, Environment } from '../../kernel/pipeline/environment.ts';
import { guardCall } from '../../kernel/pipeline/guard.ts';
import { guardMessage } from '../../kernel/pipeline/guard-message.ts';
import type { TSchema } from '../../kernel/schema/schema.ts';
import { toCallerAddress } from '../caller-address.ts';
import { setRateHeaders } from '../response-headers.ts';
import { ANONYMOUS_BODY_BYTES, getBodyLimit, getGuestBodyLimit } from './body-limits.ts';

/*
 * Who calls is looked up, and the call is counted, before its body is read. A stranger can thus
 * make the service read no more than a small body, and not many of them.
 */

/** What is known of a request before its body is read. */
export interface Admission {
  /** Null where the guard cannot run yet, because the message names its operation or its key. */
  readonly guarded: GuardedCall | null;
  readonly agentId: string | null;
  /** The number of bytes that the body may have. */
  readonly bodyLimit: number;
  /** Whether the caller has shown a valid key. */
  readonly isKnown: boolean;
}

/** Whether a caller has shown a valid key of an agent or an administrator. */
const isKnownCaller = (caller: Caller | null): boolean =>
  caller !== null && (caller.agent !== null || caller.administrator !== null);

/**
 * Admits a call: its caller is identified and may call the operation, and its token is taken.
 * Errors: those of `guardCall`.
 */
export async function admitCall(
  env: Environment,
  operation: AnyOperation & { readonly body?: TSchema },
  call: Call,
): Promise<Admission> {
  const guarded = await guardCall(env, operation, call);
  return {
    guarded,
    agentId: guarded.caller.agent?.id ?? null,
    isKnown: isKnownCaller(guarded.caller),
    bodyLimit: getBodyLimit(env.installation, operation, guarded.caller),
  };
}

/**
 * Takes the token of a read from an address, for a request that is no call of an operation.
 * Errors: `rate_limited`.
 */
export async function takeAddressToken(
  env: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  for (const who of listAddressSubjects(toCallerAddress(request.ip)))
    await env.rateLimiter.take('reads', who, env.clock(), (state) => setRateHeaders(reply, state));
}

/**
 * Checks a request that no guard has counted yet. If it is refused, it costs its address a read.
 * Errors: those of the check, `rate_limited`.
 */
export async function countRefusal(
  env: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  check: () => void,
): Promise<void> {
  try {
    check();
  } catch (error) {
    await takeAddressToken(env, request, reply);
    throw error;
  }
}

/** The length of a message that is still read to answer in the protocol's own form. */
const SHORT_MESSAGE_BYTES = 16 * 1024;

/**
 * Admits a message of the tool protocol, which may have at most `limit` bytes. A caller without a
 * token is refused at once, or in the protocol's own form if the message is short and `mayExplain`
 * agrees, which is asked with the name of the caller.
 * Errors: those of `guardMessage`, `rate_limited`.
 */
export async function admitMessage(
  env: Environment,
  request: FastifyRequest,
  call: Call,
  limit: number,
  mayExplain: (caller: string) => boolean,
): Promise<void> {
  const { caller, refusal } = await guardMessage(env, call);
  const isShort = Number(request.headers['content-length']) <= SHORT_MESSAGE_BYTES;
  if (refusal && !(isShort && mayExplain(caller?.agent?.id ?? call.address))) throw refusal;
  const isKnown = isKnownCaller(caller);
  const isGuest = isContextKey(call.credentials.contextKey ?? '');
  const strangersLimit = isGuest ? getGuestBodyLimit(env.installation) : ANONYMOUS_BODY_BYTES;
  request.refusal = refusal;
  request.admission = {
    guarded: null,
    agentId: caller?.agent?.id ?? null,
    isKnown,
    bodyLimit: isKnown ? limit : strangersLimit,
  };
}
