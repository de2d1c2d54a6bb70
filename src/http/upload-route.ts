import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { fail, invalid, StoaError } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import type { IncomingFile } from '../kernel/operation/sent-file.ts';
import { tooLarge } from '../kernel/pipeline/uploads.ts';
import { addOperation } from './operation-routes.ts';

/** What a form needs beside its file: boundaries and the head of the part. */
const FORM_BYTES = 64 * 1024;

/** So much of a refused form is read to no purpose: a client that writes all before it reads then still hears why. */
const LINGER_BYTES = 64 * 1024 * 1024;

/** Every part is a file for the parser: what else is sent is refused by its name, not collected. How large one may be is the pipeline's to say. */
const options = {
  limits: { parts: 1, fileSize: Number.POSITIVE_INFINITY, headerPairs: 20, headerSize: 16 * 1024 },
  isPartAFile: () => true,
  preservePath: true,
};

/** Whatever the parser or the connection says is wrong, the sender sent something that is no form, or not all of it. */
function broken(error: unknown): StoaError {
  if (error instanceof StoaError) return error;
  if ((error as { code?: string }).code === 'FST_PARTS_LIMIT')
    return invalid('/body', 'the form has more than one part. Send the field "file" alone, once');
  return invalid('/body', 'the form is malformed or breaks off. Send all of it again');
}

const orBroken = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw broken(error);
  });

/** Rejects when more arrives than a form with the largest file could have: also where no part ever begins or ends. */
function tooMuch({ raw }: FastifyRequest, limit: number): Promise<never> {
  let size = 0;
  const overflow = new Promise<never>((_, reject) => {
    raw.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > limit + FORM_BYTES) reject(tooLarge(limit));
    });
  });
  overflow.catch(() => {});
  return overflow;
}

/** Begins to read a form whose only part is the file. Errors, also of its bytes: `invalid_request`, `payload_too_large`, `unsupported_media_type`. */
async function fileOf(request: FastifyRequest, limit: number): Promise<IncomingFile> {
  const { headers } = request;
  if (!request.isMultipart()) {
    const nothing =
      headers['content-type'] === undefined &&
      headers['transfer-encoding'] === undefined &&
      Number(headers['content-length'] ?? 0) === 0;
    throw nothing
      ? invalid('/body/file', 'is required')
      : fail(
          'unsupported_media_type',
          'Send the file as multipart/form-data, in the field "file".',
        );
  }
  if (Number(headers['content-length']) > limit + FORM_BYTES) throw tooLarge(limit);
  const parts = request.parts(options);
  const overflow = tooMuch(request, limit);
  const next = () => orBroken(Promise.race([parts.next(), overflow]));

  const { value: part } = await next();
  if (!part) throw invalid('/body/file', 'is required');
  if (part.fieldname !== 'file')
    throw invalid(
      `/body/${String(part.fieldname).replaceAll('~', '~0').replaceAll('/', '~1')}`,
      'is not a known member',
    );
  if (part.type !== 'file' || part.filename === undefined)
    throw invalid('/body/file', 'must be a file. Give it a filename');
  if (part.filename.includes('\ufffd'))
    throw invalid('/body/file', 'the name of the file must be UTF-8');
  const bytes = async function* () {
    const pieces: AsyncIterator<Uint8Array> = part.file[Symbol.asyncIterator]();
    for (
      let piece = await orBroken(pieces.next());
      !piece.done;
      piece = await orBroken(pieces.next())
    )
      yield piece.value;
    // A form is only known to be whole at its end.
    await next();
  };
  return { name: part.filename, mediaType: part.mimetype, bytes: bytes() };
}

/** Lets what is left of a refused form pass by; not for ever. */
function letPass({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  let size = 0;
  raw.unpipe();
  raw.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > LINGER_BYTES) raw.destroy();
  });
  raw.resume();
}

/** Registers an operation that takes a file: the bytes stream from the socket into the pipeline, once it asks for them. */
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
    // Left unread until the call is known to be allowed.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onError', async (request) => letPass(request));
    addOperation(scope, operation, env, execute, (request) => ({
      file: () => fileOf(request, limit),
    }));
  });
}
