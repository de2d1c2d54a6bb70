import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, GuardedCall } from '../kernel/callers/caller.ts';
import { identifyCaller } from '../kernel/callers/callers.ts';
import { toIso } from '../kernel/clock.ts';
import { isContextKey } from '../kernel/crypto/credentials.ts';
import { StoaError } from '../kernel/errors.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { Call, Environment } from '../kernel/pipeline/environment.ts';
import { guardCall } from '../kernel/pipeline/guard.ts';
import { computeBodyLimit } from '../kernel/schema/largest-body.ts';
import type { TSchema } from '../kernel/schema/schema.ts';
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
  /** The token of a read that was taken for a message of the tool protocol. */
  readonly prepaidRead?: Call['prepaidRead'];
}

/** The number of bytes that are read from somebody whose credential is not known to be valid. */
export const ANONYMOUS_BODY_BYTES = 64 * 1024;
/** Bytes of one escaped byte of a guest's value, and of everything around the value. */
const GUEST_ESCAPED_BYTES = 6;
const GUEST_FRAME_BYTES = 4096;

const getGuestBodyLimit = ({ limits }: Environment['installation']): number =>
  Math.min(
    limits.jsonBodyBytes,
    limits.guestContextBytes * GUEST_ESCAPED_BYTES + GUEST_FRAME_BYTES,
  );

/** Returns the number of bytes that the body of a call may have, by its operation and caller. */
export function getBodyLimit(
  installation: Environment['installation'],
  { auth, body }: { readonly auth: AnyOperation['auth']; readonly body?: TSchema },
  { agent, administrator }: Caller,
): number {
  // Anyone can make the key of a guest context, so it proves nothing.
  if (auth === 'context') return getGuestBodyLimit(installation);
  if (!agent && !administrator) return ANONYMOUS_BODY_BYTES;
  return computeBodyLimit(body, ANONYMOUS_BODY_BYTES, installation.limits.jsonBodyBytes);
}

/** Calls the function once the request is over, however it ends. */
export function whenClosed(reply: FastifyReply, release: () => void): void {
  if (reply.raw.closed) release();
  else reply.raw.once('close', release);
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
  return {
    guarded,
    agentId: guarded.caller.agent?.id ?? null,
    bodyLimit: getBodyLimit(env.installation, operation, guarded.caller),
  };
}

/**
 * Takes the token of a read from an address, for a request that is no call of an operation.
 * Errors: `rate_limited`.
 */
export const takeAddressToken = (
  env: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> =>
  env.rateLimiter.take('reads', `address:${toCallerAddress(request.ip)}`, env.clock(), (state) =>
    setRateHeaders(reply, state),
  );

/**
 * Admits a message of the tool protocol, whose operation is not known yet. The caller is looked up,
 * and each message costs a read. An invalid key counts as none here; the tool reports it. A missing
 * token is reported in the protocol's own form, unless the message is long.
 * Errors: `rate_limited`.
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
    onCaller?.(caller);
  } catch (error) {
    if (!(error instanceof StoaError)) throw error;
  }
  const agentId = caller?.agent?.id ?? null;
  const isKnown = agentId !== null || caller?.administrator != null;
  const isGuest = isContextKey(credentials.contextKey ?? '');
  const strangersLimit = isGuest ? getGuestBodyLimit(env.installation) : ANONYMOUS_BODY_BYTES;
  let refusal: StoaError | null = null;
  if (!caller?.administrator)
    try {
      const who = agentId === null ? `address:${address}` : `agent:${agentId}`;
      await env.rateLimiter.take('reads', who, at, (state) => onRate?.(state));
    } catch (error) {
      if (!(error instanceof StoaError) || !(contentLength <= ANONYMOUS_BODY_BYTES)) throw error;
      refusal = error;
    }
  return {
    guarded: null,
    agentId,
    bodyLimit: isKnown ? limit : strangersLimit,
    prepaidRead: { refusal },
  };
}
