import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import { addEncoding, computeEtag, type Encoding, encodings } from './response-headers.ts';

/**
 * Compression of answers (contract, section 1). All of it happens in the thread pool. Events,
 * exports and files go out as they are.
 */

/** Smaller answers are not worth it. */
const SMALLEST_BYTES = 1024;
/** What compresses well. Files have types of this kind too, but they are streams. */
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/;

/** Levels for what is sent once. */
const QUICK = { br: 3, gzip: 4 } as const;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Compresses a text that is sent piece by piece, such as the Markdown of a long thread. */
const compressStream = (encoding: Encoding, pieces: Readable): Readable =>
  pipeline(
    pieces,
    encoding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUICK.br } })
      : createGzip({ level: QUICK.gzip }),
    // A fault of the pieces breaks the answer off, and whoever made them has reported it.
    () => {},
  );

/** Quick settings for what is sent once, thorough ones for what is kept. */
const compress = (encoding: Encoding, bytes: Buffer, isKept: boolean): Promise<Buffer> =>
  encoding === 'br'
    ? compressBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: isKept ? 9 : QUICK.br,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
    : compressGzip(bytes, { level: isKept ? 9 : QUICK.gzip });

/** Bytes of compressed answers that one process keeps. */
const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * Whether an answer may hold a secret, which its compressed length could give away together with
 * text of others beside it: a key, or the form token of a session.
 */
const mayHoldSecret = (
  request: FastifyRequest,
  reply: FastifyReply,
  secretOperations: ReadonlySet<string>,
): boolean =>
  request.session !== null ||
  reply.hasHeader('set-cookie') ||
  request.routeOptions.config.operation?.secret === true ||
  (request.operation !== null && secretOperations.has(request.operation));

function addVary(reply: FastifyReply): void {
  const names = String(reply.getHeader('vary') ?? '');
  if (!/\baccept-encoding\b/i.test(names))
    reply.header('vary', names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`);
}

/** A 304 has the tag that the reader knows, which may be that of a compressed answer. */
function keepKnownTag(request: FastifyRequest, reply: FastifyReply): void {
  const etag = reply.getHeader('etag');
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  for (const encoding of encodings)
    if (typeof etag === 'string' && known.includes(addEncoding(etag, encoding)))
      reply.header('etag', addEncoding(etag, encoding));
}

/**
 * Compresses JSON, text and pages above 1 KiB as `Accept-Encoding` allows. An answer whose request
 * has `isBodyKept` is compressed once and kept.
 */
export function addCompression(http: FastifyInstance, operations: readonly AnyOperation[]): void {
  const negotiator = new Negotiator({
    supportedValues: [...encodings],
    cache: new LRUCache({ max: 200 }),
  });
  const secretOperations = new Set(
    operations.filter(({ secret }) => secret).map(({ name }) => name),
  );
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length,
  });

  async function compressOnce(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
    const key = `${encoding} ${computeEtag(bytes)}`;
    const known = kept.get(key);
    if (known) return known;
    const compressed = await compress(encoding, bytes, true);
    kept.set(key, compressed);
    return compressed;
  }

  http.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 304) keepKnownTag(request, reply);
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    const isCompressible =
      (isWhole ? Buffer.byteLength(payload) >= SMALLEST_BYTES : payload instanceof Readable) &&
      COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? '')) &&
      !reply.hasHeader('content-disposition') &&
      !mayHoldSecret(request, reply, secretOperations);
    if (!isCompressible) return payload;
    addVary(reply);
    const encoding = negotiator.negotiate(request.headers['accept-encoding'] ?? '');
    if (encoding === null) return payload;
    const etag = reply.getHeader('etag');
    if (typeof etag === 'string') reply.header('etag', addEncoding(etag, encoding));
    reply.header('content-encoding', encoding);
    if (!isWhole) {
      reply.removeHeader('content-length');
      return compressStream(encoding, payload as Readable);
    }
    const bytes = Buffer.from(payload);
    const compressed = await (request.isBodyKept
      ? compressOnce(encoding, bytes)
      : compress(encoding, bytes, false));
    reply.header('content-length', compressed.length);
    return compressed;
  });
}
