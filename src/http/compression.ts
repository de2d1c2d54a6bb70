import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import { addEncoding, computeEtag, type Encoding, encodings } from './etags.ts';

/*
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

/** The window of Brotli as a power of two: the usual 22 takes 9 MiB for each answer under way. */
const BROTLI_WINDOW = 18;

/**
 * How many answers a process compresses at once, and streams that readers may leave half read.
 * Whatever comes beyond that goes out as it is, because each takes memory and one of the four
 * threads of the pool, which files and signatures need too.
 */
const MAX_COMPRESSIONS = 2;
const MAX_STREAMS = 32;
/** Larger answers are sent as they are. */
const LARGEST_BYTES = 1024 * 1024;

/**
 * Compresses a text that is sent piece by piece, such as the Markdown of a long thread. It is gzip,
 * which holds a twentieth of Brotli's memory while a reader is slow.
 */
const compressStream = (pieces: Readable, whenOver: () => void): Readable =>
  // A fault of the pieces breaks the answer off, and whoever made them has reported it.
  pipeline(pieces, createGzip({ level: QUICK.gzip }), whenOver);

/**
 * Quick settings for what is sent once and for texts of others, of which the thorough ones can take
 * 90 times as long; thorough ones for what is kept and ours.
 */
const compress = (encoding: Encoding, bytes: Buffer, isThorough: boolean): Promise<Buffer> =>
  encoding === 'br'
    ? compressBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: isThorough ? 9 : QUICK.br,
          [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
    : compressGzip(bytes, { level: isThorough ? 9 : QUICK.gzip });

/** Bytes of compressed answers that one process keeps. */
const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * Whether an answer may hold a secret, which its compressed length could give away together with
 * text of others beside it: a key, the form token of a session, or a value of a guest.
 */
const mayHoldSecret = (
  request: FastifyRequest,
  reply: FastifyReply,
  secretOperations: ReadonlySet<string>,
): boolean =>
  request.session !== null ||
  reply.hasHeader('set-cookie') ||
  request.routeOptions.config.operation?.secret === true ||
  request.routeOptions.config.operation?.auth === 'context' ||
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
  const streamNegotiator = new Negotiator({
    supportedValues: ['gzip' as const],
    cache: new LRUCache({ max: 200 }),
  });
  const secretOperations = new Set(
    operations.filter(({ secret }) => secret).map(({ name }) => name),
  );
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length,
  });
  const pending = new Map<string, Promise<Buffer>>();
  let running = 0;
  let streams = 0;

  async function run(encoding: Encoding, bytes: Buffer, isThorough: boolean): Promise<Buffer> {
    running += 1;
    try {
      return await compress(encoding, bytes, isThorough);
    } finally {
      running -= 1;
    }
  }

  /** Compresses what is kept, once for all that ask for it at the same time. */
  async function compressOnce(
    encoding: Encoding,
    bytes: Buffer,
    isThorough: boolean,
  ): Promise<Buffer | null> {
    const key = `${encoding} ${computeEtag(bytes)}`;
    const known = kept.get(key) ?? pending.get(key);
    if (known) return known;
    if (running >= MAX_COMPRESSIONS) return null;
    const compressing = run(encoding, bytes, isThorough).finally(() => pending.delete(key));
    pending.set(key, compressing);
    const compressed = await compressing;
    kept.set(key, compressed);
    return compressed;
  }

  /** Compresses an answer; null when it goes out as it is. */
  async function compressBytes(
    encoding: Encoding,
    payload: string | Buffer,
    { isBodyKept, routeOptions }: FastifyRequest,
  ): Promise<Buffer | null> {
    if (Buffer.byteLength(payload) > LARGEST_BYTES) return null;
    // A page of messages is shared by its readers and never copied.
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    const isOurs = routeOptions.config.operation?.untrusted !== true;
    if (isBodyKept) return compressOnce(encoding, bytes, isOurs);
    return running >= MAX_COMPRESSIONS ? null : run(encoding, bytes, false);
  }

  function streamGzip(pieces: Readable): Readable | null {
    if (streams >= MAX_STREAMS) return null;
    streams += 1;
    return compressStream(pieces, () => {
      streams -= 1;
    });
  }

  http.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 304) {
      addVary(reply);
      keepKnownTag(request, reply);
    }
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    const isCompressible =
      (isWhole ? Buffer.byteLength(payload) >= SMALLEST_BYTES : payload instanceof Readable) &&
      COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? '')) &&
      !reply.hasHeader('content-disposition') &&
      !mayHoldSecret(request, reply, secretOperations);
    if (!isCompressible) return payload;
    addVary(reply);
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = (isWhole ? negotiator : streamNegotiator).negotiate(accepted);
    if (encoding === null) return payload;
    const compressed = isWhole
      ? await compressBytes(encoding, payload, request)
      : streamGzip(payload as Readable);
    if (compressed === null) return payload;
    const etag = reply.getHeader('etag');
    if (typeof etag === 'string') reply.header('etag', addEncoding(etag, encoding));
    reply.header('content-encoding', encoding);
    if (Buffer.isBuffer(compressed)) reply.header('content-length', compressed.length);
    else reply.removeHeader('content-length');
    return compressed;
  });
}
