import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, GuardedCall } from '../kernel/callers/caller.ts';
import { identifyCaller } from '../kernel/callers/callers.ts';
import { listAddressSubjects } from '../kernel/callers/rate-limit-subjects.ts';
import { toIso } from '../kernel/clock.ts';
import { isContextKey } from '../kernel/crypto/credentials.ts';
import { StoaError } from '../kernel/errors.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { Call, Environment } from '../kernel/pipeline/environment.ts';
import { guardCall } from '../kernel/pipeline/guard.ts';
import type { TSchema } from '../kernel/schema/schema.ts';
import { ANONYMOUS_BODY_BYTES, getBodyLimit, getGuestBodyLimit } from './body-limits.ts';
import { toCallerAddress } from './caller-address.ts';
import { setRateHeaders } from './response-headers.ts';

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
  /** Why a message of the tool protocol is refused, if its caller had no token left. */
  readonly refusal: StoaError | null;
}

/**
 * Calls the function once, when the request is over, however it ends. Of requests that a client
 * sent one behind the other (pipelining), only the first learns from its response that the
 * connection broke; so the connection is watched too.
 */
export function whenOver({ raw }: FastifyReply, release: () => void): void {
  const { socket } = raw.req;
  const end = () => {
    raw.off('close', end);
    socket.off('close', end);
    release();
  };
  raw.once('close', end);
  socket.once('close', end);
  if (raw.closed || socket.destroyed) end();
}

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
  const { agent, administrator } = guarded.caller;
  return {
    guarded,
    agentId: agent?.id ?? null,
    isKnown: agent !== null || administrator !== null,
    refusal: null,
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
 * Admits a message of the tool protocol, whose operation is not known yet. The caller is looked up,
 * and each message costs a read. An invalid key counts as none here; the tool reports it. A missing
 * token is reported in the protocol's own form, unless the message is long.
 * Errors: `rate_limited`, `unavailable`.
 */
export async function admitMessage(
  env: Environment,
  { credentials, address, onRate, onCaller }: Call,
  contentLength: number,
  limit: number,
): Promise<Admission> {
  const at = env.clock();
  const needs = { name: 'mcp', auth: 'public' } as const;
  let caller: Caller | null = null;
  try {
    caller = await identifyCaller(env.db, credentials, needs, null, toIso(at), env.administrators);
  } catch (error) {
    if (!(error instanceof StoaError)) throw error;
  }
  if (caller) onCaller?.(caller);
  const agentId = caller?.agent?.id ?? null;
  const isKnown = agentId !== null || caller?.administrator != null;
  const isGuest = isContextKey(credentials.contextKey ?? '');
  const strangersLimit = isGuest ? getGuestBodyLimit(env.installation) : ANONYMOUS_BODY_BYTES;
  let refusal: StoaError | null = null;
  if (!caller?.administrator)
    try {
      const subjects =
        agentId === null ? listAddressSubjects(address) : [{ name: `agent:${agentId}` }];
      for (const who of subjects)
        await env.rateLimiter.take('reads', who, at, (state) => onRate?.(state));
    } catch (error) {
      if (!(error instanceof StoaError) || !(contentLength <= SHORT_MESSAGE_BYTES)) throw error;
      refusal = error;
    }
  return {
    guarded: null,
    agentId,
    isKnown,
    bodyLimit: isKnown ? limit : strangersLimit,
    refusal,
  };
}
