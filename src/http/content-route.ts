import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ByteRange } from '../blobs/blobs.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { fail, StoaError } from '../kernel/errors.ts';
import { openContent } from '../kernel/pipeline/open-content.ts';
import { matchesEtag, resultHeaders, sendUnchanged } from './response-headers.ts';
import { pathsOf, toCall, toFastifyPath, whenGone } from './operation-routes.ts';

/** What stands for a character that a header cannot carry as it is (RFC 8187). */
const percent = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** RFC 6266: the name for those who read UTF-8, and one in plain letters for the rest. */
export function downloadAs(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_');
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${percent(name)}`}`;
}

/**
 * The part of `size` bytes that a request asks for; undefined for all of them: also when it is not understood, asks for several parts, or for
 * a part of another version (RFC 9110, 14.2); null when there is no such part.
 */
export function rangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | undefined | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (ifRange !== undefined && ifRange !== etag))
    return undefined;
  if (first === '') {
    if (last === '') return undefined;
    return size > 0 && Number(last) > 0
      ? { start: Math.max(0, size - Number(last)), end: size - 1 }
      : null;
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return Number(first) <= end ? { start: Number(first), end } : null;
}

/** The same pieces. Errors: throws when they are not `length` bytes, so that the answer breaks off instead of waiting for the rest. */
async function* exactly(
  length: number,
  pieces: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string> {
  let size = 0;
  for await (const piece of pieces) {
    size += Buffer.byteLength(piece);
    yield piece;
  }
  if (size !== length) throw new Error(`The content has ${size} bytes and not ${length}.`);
}

/** The pieces of an answer, the first of them read already: until then an error is answered as any other. A reader that leaves early ends them. */
async function begun(pieces: AsyncIterable<Uint8Array | string>): Promise<Readable> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = [await iterator.next()];
  const rest = {
    next: async () => first.pop() ?? iterator.next(),
    return: async () => iterator.return?.() ?? { done: true as const, value: undefined },
  };
  return Readable.from({ [Symbol.asyncIterator]: () => rest }, { objectMode: false });
}

/** Answers with bytes, as far as they are asked for. */
async function answer(
  env: Environment,
  log: Logger,
  operation: ContentOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { content, credentialed } = await openContent(env, operation, {
    ...toCall(request, reply),
    signal: whenGone(reply),
  });
  const { mediaType, size, download, headers } = content;
  const etag = content.etag === undefined ? undefined : `"${content.etag}"`;
  const unchanged = etag !== undefined && matchesEtag(request.headers['if-none-match'], etag);
  const ranged = operation.ranges && size !== undefined && etag !== undefined;
  const range =
    ranged && !unchanged && request.method === 'GET'
      ? rangeOf(request.headers, size, etag)
      : undefined;
  if (range === null) {
    reply.header('content-range', `bytes */${size}`);
    throw fail('range_not_satisfiable', `There are ${size} bytes. Ask for a range inside of them.`);
  }
  const length = range ? range.end - range.start + 1 : size;
  const pieces = () =>
    length === undefined ? content.open() : exactly(length, content.open(range));
  const body = unchanged
    ? undefined
    : request.method === 'HEAD'
      ? Readable.from([])
      : await begun(pieces());

  resultHeaders(
    reply,
    request,
    operation,
    { replayed: false, reply: { private: content.private }, credentialed },
    env.installation.baseUrl,
  );
  reply.headers(headers ?? {});
  if (etag !== undefined) reply.header('etag', etag);
  if (download !== undefined) reply.header('content-security-policy', 'sandbox');
  if (body === undefined) return sendUnchanged(reply);
  // Its status is sent: what the caller learns is that it is not whole. Why, the operator must learn.
  body.on(
    'error',
    (cause) =>
      void (
        cause instanceof StoaError ||
        log.error({ requestId: request.id, err: cause }, 'an answer broke off')
      ),
  );
  if (ranged) reply.header('accept-ranges', 'bytes');
  if (download !== undefined) reply.header('content-disposition', downloadAs(download));
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  if (length !== undefined) reply.header('content-length', length);
  return reply.type(mediaType).send(body);
}

/** Registers an operation that answers bytes. */
export function addContent(
  http: FastifyInstance,
  operation: ContentOperation,
  env: Environment,
  log: Logger,
): void {
  for (const path of pathsOf(operation.path, env.installation.service)) {
    http.route({
      method: 'GET',
      url: toFastifyPath(path, operation),
      config: { operation },
      handler: (request, reply) => answer(env, log, operation, request, reply),
    });
  }
}
