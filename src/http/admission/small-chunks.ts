import type { IncomingMessage, RequestListener } from 'node:http';

/** Chunks that any body may have, and bytes that each further one must bring on average. */
const FREE_CHUNKS = 4_096;
const BYTES_PER_CHUNK = 16;

function watchChunks(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  let chunks = 0;
  let bytes = 0;
  const push = request.push.bind(request);
  request.push = (piece: Buffer | null, encoding) => {
    if (piece === null) return push(null, encoding);
    // What the parser has already received still comes, and is dropped here.
    if (request.destroyed) return false;
    chunks += 1;
    bytes += piece.length;
    if (chunks <= FREE_CHUNKS + bytes / BYTES_PER_CHUNK) return push(piece, encoding);
    request.destroy();
    return false;
  };
}

/**
 * Creates a listener that breaks off requests whose body comes in very many very small chunks
 * (RFC 9112, 7.1). Node hands on each chunk by itself, so a body of one-byte chunks costs a hundred
 * times what its length says, whoever reads or discards it.
 */
export const boundChunks =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    watchChunks(request);
    listener(request, response);
  };
