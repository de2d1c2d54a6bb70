import type { IncomingMessage, RequestListener } from 'node:http';
import { hasManyHeaders } from './many-headers.ts';

/** Chunks that any body may have, and bytes that each further one must bring on average. */
const FREE_CHUNKS = 4_096;
const BYTES_PER_CHUNK = 16;

/** Pieces that are at least so long are handed on as they are, others are joined. */
const LONG_BYTES = 1024;
const BLOCK_BYTES = 4096;
/** Milliseconds after which what was joined is handed on, though more may come. */
const JOIN_MS = 50;

/**
 * Joins what arrives in small pieces, also when nobody reads it yet, as while a request waits for
 * its turn: memory and the time of readers then grow with the bytes.
 */
function joinPieces(request: IncomingMessage, push: IncomingMessage['push']) {
  let block: Buffer | undefined;
  let filled = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (block && filled > 0 && !request.destroyed) {
      // A few bytes of a block, or of the buffers that Node.js shares out, would keep all of it.
      const copy = Buffer.allocUnsafeSlow(filled);
      block.copy(copy, 0, 0, filled);
      push(copy);
    }
    filled = 0;
  };
  return {
    add(piece: Buffer): boolean {
      if (filled + piece.length > BLOCK_BYTES || piece.length >= LONG_BYTES) flush();
      if (piece.length >= LONG_BYTES) return push(piece);
      block ??= Buffer.allocUnsafe(BLOCK_BYTES);
      filled += piece.copy(block, filled);
      timer ??= setTimeout(flush, JOIN_MS);
      return request.readableLength < request.readableHighWaterMark;
    },
    end(): boolean {
      flush();
      block = undefined;
      return push(null);
    },
  };
}

/**
 * Watches the body of a request. It is broken off when it comes in very many very small chunks
 * (RFC 9112, 7.1), or ends in very many trailers. Node hands on each chunk, and whatever a segment
 * brings, by itself, so a body of one-byte pieces would cost a hundred times what its length says,
 * whoever reads or discards it.
 */
function watchBody(request: IncomingMessage): void {
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const length = Number(request.headers['content-length'] ?? 0);
  if (!isChunked && !(length > 0)) return;
  const push = request.push.bind(request);
  let pieces: ReturnType<typeof joinPieces> | undefined;
  let chunks = 0;
  let bytes = 0;
  const stop = () => {
    request.destroy();
    return false;
  };
  request.push = (piece: Buffer | null) => {
    // What the parser has already received still comes, and is dropped here.
    if (request.destroyed) return false;
    if (piece === null) {
      if (hasManyHeaders(request.rawTrailers)) return stop();
      return pieces ? pieces.end() : push(null);
    }
    // Most bodies arrive whole, with nothing to join.
    if (piece.length === length) return push(piece);
    chunks += 1;
    bytes += piece.length;
    if (isChunked && chunks > FREE_CHUNKS + bytes / BYTES_PER_CHUNK) return stop();
    pieces ??= joinPieces(request, push);
    return pieces.add(piece);
  };
}

/** Creates a listener that bounds what the bodies of requests cost besides their bytes. */
export const boundChunks =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    watchBody(request);
    listener(request, response);
  };
