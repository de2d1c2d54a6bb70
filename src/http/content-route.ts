import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { create as createDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import parseRanges from 'range-parser';
import type { ByteRange } from '../blobs/blobs.ts';
import { fail, StoaError } from '../kernel/errors.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { openContent } from '../kernel/pipeline/open-content.ts';
import { createCloseSignal, listPaths, toCall, toFastifyPath } from './operation-routes.ts';
import { matchesEtag, sendUnchanged, setResultHeaders } from './response-headers.ts';

/**
 * Returns the Content-Disposition of a download (RFC 6266): its name in UTF-8, and a name in plain
 * letters for clients that do not read UTF-8.
 */
export function buildContentDisposition(name: string): string {
  // Some clients unescape backslashes and percent signs in the plain name, and some do not.
  const fallback = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_');
  return createDisposition(name, { fallback });
}

/** A header that asks for one range of bytes. */
const SINGLE_RANGE = /^bytes=\s*(?=-?\d)(\d*)-(\d*)\s*$/i;

/**
 * Returns the part of `size` bytes that a request asks for (RFC 9110, 14.2). It is undefined for
 * the whole content: without a range, for a range that is malformed, for several ranges, and for a
 * part of another version. It is null when there is no such part.
 */
export function parseRange(
  { range = '', 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | undefined | null {
  const [, first, last] = SINGLE_RANGE.exec(range) ?? [];
  if (first === undefined || last === undefined || (ifRange !== undefined && ifRange !== etag))
    return undefined;
  // The library finds no part in these two. RFC 9110 (14.1.1 and 14.1.2) ignores a range that ends
  // before it begins, and takes a suffix that is longer than the content for all of it.
  if (last !== '' && Number(last) < Number(first)) return undefined;
  const header = first === '' ? `bytes=-${Math.min(Number(last), size)}` : range;
  const ranges = parseRanges(size, header);
  return typeof ranges === 'number' ? null : (ranges[0] ?? null);
}

/**
 * Yields the same pieces. Errors: throws when they do not have `length` bytes together, so that the
 * answer breaks off instead of leaving the client waiting.
 */
async function* assertLength(
  length: number,
  pieces: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string> {
  let size = 0;
  for await (const piece of pieces) {
    size += Buffer.byteLength(piece);
    yield piece;
  }
  if (size !== length) throw new Error(`The content has ${size} bytes instead of ${length}.`);
}

/**
 * Returns the pieces of an answer as a stream once the first piece has been read. An error before
 * that is answered like any other error. A reader that leaves early ends the source.
 */
async function readFirst(pieces: AsyncIterable<Uint8Array | string>): Promise<Readable> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = [await iterator.next()];
  const rest = {
    next: async () => first.pop() ?? iterator.next(),
    return: async () => iterator.return?.() ?? { done: true as const, value: undefined },
  };
  return Readable.from({ [Symbol.asyncIterator]: () => rest }, { objectMode: false });
}

/**
 * Reads the content of an answer: as one buffer, which can be compressed, or piece by piece. A HEAD
 * needs the buffer too, because it has the headers of a GET.
 */
async function readContent(
  { method }: FastifyRequest,
  open: () => AsyncIterable<Uint8Array | string>,
  isText: boolean,
): Promise<Buffer | Readable> {
  if (isText) return buffer(open());
  return method === 'HEAD' ? Readable.from([]) : readFirst(open());
}

/** Answers with the bytes of a content operation, or with the part that the request asks for. */
async function sendContent(
  env: Environment,
  log: Logger,
  operation: ContentOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { content, credentialed } = await openContent(env, operation, {
    ...toCall(request, reply, env),
    signal: createCloseSignal(reply),
  });
  const { mediaType, size, download, headers } = content;
  const etag = content.etag === undefined ? undefined : `"${content.etag}"`;
  const unchanged = etag !== undefined && matchesEtag(request.headers['if-none-match'], etag);
  const ranged = operation.ranges && size !== undefined && etag !== undefined;
  const range =
    ranged && !unchanged && request.method === 'GET'
      ? parseRange(request.headers, size, etag)
      : undefined;
  if (range === null) {
    reply.header('content-range', `bytes */${size}`);
    throw fail('range_not_satisfiable', `There are ${size} bytes. Ask for a range inside of them.`);
  }
  const length = range ? range.end - range.start + 1 : size;
  const pieces = () =>
    length === undefined ? content.open() : assertLength(length, content.open(range));
  const body = unchanged
    ? undefined
    : await readContent(request, pieces, !ranged && size !== undefined);

  setResultHeaders(
    reply,
    request,
    operation,
    { replayed: false, reply: { private: content.private }, credentialed },
    env.installation,
  );
  reply.headers(headers ?? {});
  if (etag !== undefined) reply.header('etag', etag);
  if (download !== undefined) reply.header('content-security-policy', 'sandbox');
  if (body === undefined) return sendUnchanged(reply);
  if (Buffer.isBuffer(body)) {
    request.isBodyKept = operation.cached === true && !content.private;
    return reply.type(mediaType).send(body);
  }
  // The status has been sent, so the caller only sees that the content is incomplete. The log tells
  // the operator why.
  body.on(
    'error',
    (cause) =>
      void (
        cause instanceof StoaError ||
        log.error({ requestId: request.id, err: cause }, 'an answer broke off')
      ),
  );
  if (ranged) reply.header('accept-ranges', 'bytes');
  if (download !== undefined)
    reply.header('content-disposition', buildContentDisposition(download));
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  if (length !== undefined) reply.header('content-length', length);
  return reply.type(mediaType).send(body);
}

/** Registers an operation that answers with bytes. */
export function addContent(
  http: FastifyInstance,
  operation: ContentOperation,
  env: Environment,
  log: Logger,
): void {
  for (const path of listPaths(operation.path, env.installation.service)) {
    http.route({
      method: 'GET',
      url: toFastifyPath(path, operation),
      config: { operation },
      handler: (request, reply) => sendContent(env, log, operation, request, reply),
    });
  }
}
