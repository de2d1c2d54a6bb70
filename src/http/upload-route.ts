import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, failField, StoaError } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import type { IncomingFile } from '../kernel/operation/sent-file.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { failTooLarge } from '../kernel/pipeline/uploads/uploads.ts';
import { appendToPointer } from '../kernel/schema/json-pointer.ts';
import { UNKNOWN_MEMBER } from '../kernel/schema/size-guards.ts';
import { STALL_BYTES, STALL_MS } from './admission/request-body.ts';
import { failLate } from './fail-late.ts';
import { addOperation } from './operation-routes.ts';

/** Bytes that a form needs beside its file: the boundaries and the header of the part. */
const FORM_BYTES = 64 * 1024;

/**
 * The parser takes every part for a file, so other fields are refused by name instead of being
 * collected. The pipeline limits the size of the file.
 */
const parserOptions = {
  limits: { parts: 1, fileSize: Number.POSITIVE_INFINITY, headerPairs: 20, headerSize: 16 * 1024 },
  isPartAFile: () => true,
  preservePath: true,
};

/**
 * Converts any error of the parser or the connection: the sender sent something that is not a form,
 * or only a part of one.
 */
function toFormError(error: unknown): StoaError {
  if (error instanceof StoaError) return error;
  if ((error as { code?: string }).code === 'FST_PARTS_LIMIT')
    return failField('/body', 'the form has more than one part. Send the field "file" alone, once');
  return failField('/body', 'the form is malformed or incomplete. Send the whole form again');
}

const wrapFormErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toFormError(error);
  });

/** Watches how the bytes of a form arrive. */
interface Arrival {
  /**
   * Waits for a part of the form. Errors: `payload_too_large` when more bytes arrive than a form
   * with the largest file can have, even if no part ever begins or ends; `invalid_request` when
   * hardly any arrive while they are waited for, and when the connection has broken.
   */
  wait<Result>(part: Promise<Result>): Promise<Result>;
}

function watchArrival(request: FastifyRequest, limit: number): Arrival {
  const { raw } = request;
  let size = 0;
  let sizeBefore = 0;
  let waits = 0;
  let hasWaited = false;
  const failure = new Promise<never>((_, reject) => {
    raw.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > limit + FORM_BYTES) reject(failTooLarge(limit));
    });
    const timer = setInterval(() => {
      // While the store of files is slow, nothing is read and nothing is waited for.
      const isWaiting = waits > 0;
      if (isWaiting && hasWaited && size - sizeBefore < STALL_BYTES) reject(failLate());
      hasWaited = isWaiting;
      sizeBefore = size;
    }, STALL_MS);
    request.whenOver(() => {
      clearInterval(timer);
      // The parser does not notice a connection that had broken before it began to read.
      reject(failField('/body', 'the request broke off. Send the whole form again'));
    });
  });
  failure.catch(() => {});
  return {
    async wait(part) {
      waits += 1;
      try {
        return await Promise.race([part, failure]);
      } finally {
        waits -= 1;
      }
    },
  };
}

/**
 * Begins to read a form whose only part is the file.
 * Errors, also while its bytes are read: `invalid_request`, `payload_too_large`,
 * `unsupported_media_type`.
 */
async function readFile(request: FastifyRequest, limit: number): Promise<IncomingFile> {
  const { headers } = request;
  if (!request.isMultipart()) {
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
  const parts = request.parts(parserOptions);
  const arrival = watchArrival(request, limit);
  const readNext = () => wrapFormErrors(arrival.wait(parts.next()));

  const { value: part } = await readNext();
  if (!part) throw failField('/body/file', 'is required');
  if (part.fieldname !== 'file')
    throw failField(appendToPointer('/body', String(part.fieldname)), UNKNOWN_MEMBER);
  if (part.type !== 'file' || part.filename === undefined)
    throw failField('/body/file', 'must be a file. Give it a filename');
  if (part.filename.includes('\ufffd'))
    throw failField('/body/file', 'the name of the file must be UTF-8');
  const readBytes = async function* () {
    const pieces: AsyncIterator<Uint8Array> = part.file[Symbol.asyncIterator]();
    for (
      let piece = await wrapFormErrors(arrival.wait(pieces.next()));
      !piece.done;
      piece = await wrapFormErrors(arrival.wait(pieces.next()))
    )
      yield piece.value;
    // Only the end of the form shows that the file is complete.
    await readNext();
  };
  const length = headers['content-length'];
  return {
    name: part.filename,
    mediaType: part.mimetype,
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
    await scope.register(multipart);
    // The body stays unread until the call is known to be allowed.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    addOperation(scope, operation, env, execute, (request) => ({
      file: () => readFile(request, limit),
    }));
  });
}
