import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BlobsUnavailable } from '../blobs/blobs.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { fail, invalid, StoaError, toProblem } from '../kernel/errors.ts';
import { credentialHeader } from './response-headers.ts';
import { sendRefusal, tellsByPage } from './form-route.ts';
import { endSession } from './sessions.ts';

/** Fastify's own refusals as codes of the one table. */
function fromFastify(error: FastifyError, bodyLimit: number): StoaError | undefined {
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
      return invalid(
        '/path',
        'the address has a % that is not followed by a UTF-8 character in hexadecimal',
      );
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return invalid('/path', 'a part of the address is too long');
    default:
      return error.statusCode && error.statusCode < 500
        ? invalid('/body', 'the request is malformed. Check its headers and length')
        : undefined;
  }
}

/** Whatever was thrown, as an error that a caller may see. What is not known by name becomes `internal_error` and is logged. */
export function toStoaError(
  error: unknown,
  bodyLimit: number,
  log: (cause: unknown) => void,
): StoaError {
  if (error instanceof StoaError) return error;
  if (error instanceof DatabaseUnavailable || error instanceof BlobsUnavailable) {
    log(error);
    const detail =
      error instanceof DatabaseUnavailable && error.tookTooLong
        ? 'The answer takes longer than a request may. Ask for less, such as rarer words or a smaller limit, or repeat it when less is going on.'
        : 'The store cannot be reached now. Repeat the same request, with the same idempotency key, in a few seconds.';
    return fail('unavailable', detail, { retryAfterSeconds: 2 });
  }
  const known =
    error instanceof Error && 'statusCode' in error
      ? fromFastify(error as FastifyError, bodyLimit)
      : undefined;
  if (known) return known;
  log(error);
  return fail(
    'internal_error',
    'Something went wrong on our side. Repeat with the same idempotency key; if it stays, report the requestId.',
  );
}

/** Writes an RFC 9457 problem with the headers that belong to its code; where a page tells of it, as that page. */
export function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  error: StoaError,
  env: Environment,
): FastifyReply {
  const wait = error.members.retryAfterSeconds;
  if (typeof wait === 'number') reply.header('retry-after', wait);
  else if (error.code === 'unavailable') reply.header('retry-after', 2);
  if (error.status === 401)
    reply.header('www-authenticate', `ApiKey header="${credentialHeader[error.credential]}"`);
  reply.header('cache-control', 'private, no-store').code(error.status);
  const problem = toProblem(error, env.installation.baseUrl, request.id);
  // The key of a session may have been revoked since: nobody stays signed in with one that does not work.
  if (request.session && error.code === 'invalid_credential') endSession(request, reply, env);
  const { operation } = request.routeOptions?.config ?? {};
  if (tellsByPage(operation, request)) return sendRefusal(reply, request, operation, problem, env);
  return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem));
}
