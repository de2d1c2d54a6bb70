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
function joinPieces(request: IncomingMessage) {
  const push = request.push.bind(request);
  let block: Buffer | undefined;
  let filled = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    // A copy, because a few bytes of a block would keep all of it.
    if (block && filled > 0 && !request.destroyed) push(Buffer.from(block.subarray(0, filled)));
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
 * Breaks off a request whose body comes in very many very small chunks (RFC 9112, 7.1), or ends in
 * very many trailers. Node hands on each chunk by itself, so a body of one-byte chunks costs a
 * hundred times what its length says, whoever reads or discards it.
 */
function watchChunks(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const pieces = joinPieces(request);
  let chunks = 0;
  let bytes = 0;
  const stop = () => {
    request.destroy();
    return false;
  };
  request.push = (piece: Buffer | null) => {
    // What the parser has already received still comes, and is dropped here.
    if (request.destroyed) return false;
    if (piece === null) return hasManyHeaders(request.rawTrailers) ? stop() : pieces.end();
    chunks += 1;
    bytes += piece.length;
    return chunks <= FREE_CHUNKS + bytes / BYTES_PER_CHUNK ? pieces.add(piece) : stop();
  };
}

/** Creates a listener that bounds the chunks and the trailers of requests. */
export const boundChunks =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    watchChunks(request);
    listener(request, response);
  };
