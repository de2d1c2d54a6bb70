import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BlobsUnavailable } from '../blobs/blobs.ts';
import { DatabaseUnavailable } from '../db/database-errors.ts';
import { fail, failField, StoaError, toProblem } from '../kernel/errors.ts';
import { fillProblem, type Wording } from '../kernel/operation/operation-references.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { deleteCookie } from './cookies/session-cookie.ts';
import { isAnsweredByPage, sendRefusal } from './form-route.ts';
import { credentialHeaders } from './response-headers.ts';

/** Converts an error of Fastify to one of our codes; undefined if it is not the caller's fault. */
function fromFastifyError(error: FastifyError, bodyLimit: number): StoaError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fail(
        'payload_too_large',
        `The body is larger than ${bodyLimit} bytes. Send less, or attach a file.`,
        { limit: bodyLimit },
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fail(
        'unsupported_media_type',
        'Send the body as JSON with Content-Type: application/json, a file as multipart/form-data.',
      );
    case 'FST_ERR_BAD_URL':
      return failField(
        '/path',
        'the address has a % that is not followed by a UTF-8 character in hexadecimal. ' +
          'Write % itself as %25',
      );
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return failField('/path', 'a part of the address is too long. Check the id in it');
    default:
      return error.statusCode && error.statusCode < 500
        ? failField('/body', 'the request is malformed. Check its headers and length')
        : undefined;
  }
}

/**
 * Converts anything that was thrown to an error that the caller may see. An unexpected error is
 * logged and becomes `internal_error`.
 */
export function toStoaError(
  error: unknown,
  bodyLimit: number,
  log: (cause: unknown) => void,
): StoaError {
  if (error instanceof StoaError) return error;
  if (error instanceof DatabaseUnavailable || error instanceof BlobsUnavailable) {
    log(error);
    const detail =
      error instanceof DatabaseUnavailable && error.timedOut
        ? 'The request timed out. Narrow it, with rarer words or a smaller limit, or retry later.'
        : 'The store cannot be reached now. Repeat the same request, with the same ' +
          'idempotency key, in a few seconds.';
    return fail('unavailable', detail, { retryAfterSeconds: 2 });
  }
  const known =
    error instanceof Error && 'statusCode' in error
      ? fromFastifyError(error as FastifyError, bodyLimit)
      : undefined;
  if (known) return known;
  log(error);
  return fail(
    'internal_error',
    'Something went wrong on our side. Repeat with the same idempotency key; if it stays, ' +
      'report the requestId.',
  );
}

/**
 * Sends an error as an RFC 9457 problem, or as a page where people read, with the headers that
 * belong to its code.
 */
export function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  error: StoaError,
  env: Environment,
  wording: Wording,
): FastifyReply | Promise<FastifyReply> {
  const wait = error.members.retryAfterSeconds;
  if (typeof wait === 'number') reply.header('retry-after', wait);
  else if (error.code === 'unavailable') reply.header('retry-after', 2);
  // The address that leads to signing in has set its own.
  if (error.status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', `ApiKey header="${credentialHeaders[error.credential]}"`);
  reply.header('cache-control', 'private, no-store').code(error.status);
  const problem = fillProblem(toProblem(error, env.installation.baseUrl, request.id), wording);
  // The key of a session may have been revoked since sign-in. Nobody stays signed in with a key
  // that no longer works.
  if (request.session && error.code === 'invalid_credential') deleteCookie(request, reply, env);
  const { operation } = request.routeOptions?.config ?? {};
  if (isAnsweredByPage(operation, request))
    return sendRefusal(reply, request, operation, problem, env);
  return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem));
}
