import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, failField, StoaError } from '../../kernel/errors.ts';
import type { Operation } from '../../kernel/operation/operation.ts';
import type { IncomingFile } from '../../kernel/operation/sent-file.ts';
import type { Environment, Execute } from '../../kernel/pipeline/environment.ts';
import { failTooLarge } from '../../kernel/pipeline/uploads/uploads.ts';
import { appendToPointer } from '../../kernel/schema/json-pointer.ts';
import { UNKNOWN_MEMBER } from '../../kernel/schema/size-guards.ts';
import { addOperation } from '../operation-routes.ts';
import { FORM_BYTES, watchArrival } from './arrival.ts';
import { type Form, readForm } from './form-part.ts';

const FORM_MEDIA = /^multipart\/form-data\b/i;

/**
 * Converts any error of the parser or the connection: the sender sent something that is not a form,
 * or only a part of one.
 */
function toFormError(error: unknown): StoaError {
  if (error instanceof StoaError) return error;
  return failField('/body', 'the form is malformed or incomplete. Send the whole form again');
}

/** Errors: `invalid_request` when nothing separates the parts. */
function beginForm({ raw }: FastifyRequest): Form {
  try {
    return readForm(raw);
  } catch (error) {
    throw toFormError(error);
  }
}

/**
 * Begins to read a form whose only part is the file.
 * Errors, also while its bytes are read: `invalid_request`, `payload_too_large`,
 * `unsupported_media_type`.
 */
async function readFile(request: FastifyRequest, limit: number): Promise<IncomingFile> {
  const { headers } = request;
  if (!FORM_MEDIA.test(headers['content-type'] ?? '')) {
    const nothing =
      headers['content-type'] === undefined &&
      headers['transfer-encoding'] === undefined &&
      Number(headers['content-length'] ?? 0) === 0;
    throw nothing
      ? failField('/body/file', 'is required')
      : fail(
          'unsupported_media_type',
          'Send the file as multipart/form-data, in the field "file".',
        );
  }
  if (Number(headers['content-length']) > limit + FORM_BYTES) throw failTooLarge(limit);
  request.inviteBody?.();
  const form = beginForm(request);
  const arrival = watchArrival(request, limit);
  const wait = <T>(step: Promise<T>): Promise<T> =>
    arrival.wait(step).catch((error: unknown) => {
      throw toFormError(error);
    });

  const part = await wait(form.part);
  if (!part) throw failField('/body/file', 'is required');
  if (part.field !== 'file')
    throw failField(appendToPointer('/body', String(part.field)), UNKNOWN_MEMBER);
  if (part.filename === undefined)
    throw failField('/body/file', 'must be a file. Give it a filename');
  if (part.filename.includes('\ufffd'))
    throw failField('/body/file', 'the name of the file must be UTF-8');
  const readBytes = async function* () {
    const pieces: AsyncIterator<Uint8Array> = part.bytes[Symbol.asyncIterator]();
    for (let piece = await wait(pieces.next()); !piece.done; piece = await wait(pieces.next()))
      yield piece.value;
    // Only the end of the form shows that the file is complete.
    await wait(form.end);
  };
  const length = headers['content-length'];
  return {
    name: part.filename,
    mediaType: part.mediaType,
    announcedBytes: length === undefined ? undefined : Number(length),
    bytes: readBytes(),
  };
}

/**
 * Registers an operation that takes a file. The bytes stream from the socket into the pipeline when
 * the pipeline asks for them.
 */
export function addUpload(
  http: FastifyInstance,
  operation: Operation,
  env: Environment,
  execute: Execute,
): void {
  const limit = env.installation.limits.fileBytes;
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body stays unread until the call is known to be allowed.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    addOperation(scope, operation, env, execute, (request) => ({
      file: () => readFile(request, limit),
    }));
  });
}
