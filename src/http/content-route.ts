import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { fail, StoaError } from '../kernel/errors.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { openContent } from '../kernel/pipeline/open-content.ts';
import { chargeAnswer, chargePieces, SAVED_BYTES_PER_READ } from './charge-answer.ts';
import { findBookmark, setBookmark } from './cookies/bookmarks.ts';
import { buildContentDisposition, parseRange } from './download-headers.ts';
import { matchesEtag, sendUnchanged } from './etags.ts';
import { holdAnswer, isCallerGone } from './hold-answer.ts';
import { listPaths, sendResult, toCall, toFastifyPath } from './operation-routes.ts';
import { MARKDOWN_MEDIA, prefersMarkdown } from './prefers-markdown.ts';
import { setResultHeaders } from './response-headers.ts';

/**
 * What a reader that does not read makes the process keep of an answer that is made piece by piece:
 * of a file the buffers of its streams, of a long text a batch of messages and the next one.
 */
const FILE_PIECE_BYTES = 128 * 1024;
const TEXT_PIECE_BYTES = 2 * 1024 * 1024;

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
    // Whatever follows would be taken for the next answer on the connection.
    if (size > length) throw new Error(`The content has more than ${length} bytes.`);
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

/** Reads all pieces. A page is a single one, which need not be copied. */
async function readWhole(pieces: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const buffers: Buffer[] = [];
  for await (const piece of pieces)
    buffers.push(Buffer.isBuffer(piece) ? piece : Buffer.from(piece));
  const [first = Buffer.of(), ...rest] = buffers;
  return rest.length === 0 ? first : Buffer.concat(buffers);
}

/**
 * Reads the content of an answer: as one buffer, which can be compressed, or piece by piece. A HEAD
 * needs the buffer too, because it has the headers of a GET.
 */
async function readContent(
  request: FastifyRequest,
  env: Environment,
  open: () => AsyncIterable<Uint8Array | string>,
  isText: boolean,
  pieceBytes: number,
): Promise<Buffer | Readable> {
  if (!isText) {
    if (request.method === 'HEAD') return Readable.from([]);
    holdAnswer(request, env, pieceBytes);
    return readFirst(open());
  }
  const body = await readWhole(open());
  // It was made, whether it may be held and is read or not.
  chargeAnswer(request, env, body.length);
  holdAnswer(request, env, body.length);
  return body;
}

/**
 * Logs what breaks off an answer, unless the caller left. The status has been sent, so the caller
 * only sees that the content is incomplete.
 */
function logBreak(body: Readable, request: FastifyRequest, log: Logger): void {
  body.on('error', (cause) => {
    if (isCallerGone(request) || cause instanceof StoaError) return;
    log.error({ requestId: request.id, err: cause }, 'an answer broke off');
  });
}

/** Answers with the bytes of a content operation, or with the part that the request asks for. */
async function sendContent(
  env: Environment,
  log: Logger,
  operation: ContentOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  query: unknown = request.query,
): Promise<FastifyReply> {
  const { content, credentialed } = await openContent(env, operation, {
    ...toCall(request, reply, env),
    query,
    bookmark: findBookmark(request, operation.bookmark),
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
  // A page is rendered before its length and its ETag are known.
  if (unchanged && !operation.ranges) chargeAnswer(request, env, size ?? 0);
  // All of it is paid at once, or many could be asked for before the first one is paid.
  if (ranged && !unchanged && request.method === 'GET')
    chargeAnswer(request, env, length ?? 0, SAVED_BYTES_PER_READ);
  const pieces = () => {
    if (length !== undefined) return assertLength(length, content.open(range));
    // Files have a length. What is made piece by piece, exports and threads as Markdown, may cost
    // much.
    return chargePieces(request, env, operation, content.open());
  };
  const body = unchanged
    ? undefined
    : await readContent(
        request,
        env,
        pieces,
        !ranged && size !== undefined,
        operation.ranges ? FILE_PIECE_BYTES : TEXT_PIECE_BYTES,
      );
  if (body instanceof Readable) logBreak(body, request, log);
  if (isCallerGone(request)) {
    if (body instanceof Readable) body.destroy();
    return reply.hijack();
  }

  setResultHeaders(
    reply,
    request,
    operation,
    { replayed: false, reply: { private: content.private }, credentialed },
    env.installation,
  );
  reply.headers(headers ?? {});
  if (content.bookmark) setBookmark(reply, content.bookmark, env);
  if (etag !== undefined) reply.header('etag', etag);
  if (download !== undefined) reply.header('content-security-policy', 'sandbox');
  if (body === undefined) return sendUnchanged(reply);
  if (Buffer.isBuffer(body)) {
    request.isBodyKept = operation.cached === true && !content.private;
    return reply.type(mediaType).send(body);
  }
  if (ranged) reply.header('accept-ranges', 'bytes');
  if (download !== undefined)
    reply.header('content-disposition', buildContentDisposition(download));
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  if (length !== undefined) reply.header('content-length', length);
  return reply.type(mediaType).send(body);
}

/**
 * Answers in place of a page with the Markdown of its subject. What a page is asked for beyond its
 * path, such as which part it shows, does not concern it.
 */
async function sendMarkdown(
  env: Environment,
  log: Logger,
  execute: Execute,
  { markdown }: ContentOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!markdown) throw new Error('The page has no Markdown.');
  const query = {};
  // It depends on the session of its reader and on Accept, as the page does.
  const page = { forPeople: true, markdown } as const;
  if (markdown.kind === 'content')
    return sendContent(env, log, { ...markdown, ...page }, request, reply, query);
  const result = await execute(markdown, { ...toCall(request, reply, env), query });
  const spec = { ...markdown, ...page };
  return sendResult(request, reply, spec, result, env, MARKDOWN_MEDIA);
}

/** Registers an operation that answers with bytes. */
export function addContent(
  http: FastifyInstance,
  operation: ContentOperation,
  env: Environment,
  log: Logger,
  execute: Execute,
): void {
  for (const path of listPaths(operation.path, env.installation.service)) {
    http.route({
      method: 'GET',
      url: toFastifyPath(path, operation),
      config: { operation },
      handler: (request, reply) =>
        operation.markdown && prefersMarkdown(request, 'text/html')
          ? sendMarkdown(env, log, execute, operation, request, reply)
          : sendContent(env, log, operation, request, reply),
    });
  }
}
