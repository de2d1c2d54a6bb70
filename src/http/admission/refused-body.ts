import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Bytes of a refused request that are read and discarded, and milliseconds that this may take. */
const KNOWN_LINGER = { bytes: 64 * 1024 * 1024, ms: 30_000 };
const STRANGERS_LINGER = { bytes: 1024 * 1024, ms: 2_000 };
/** Milliseconds for which an answer to a longer body can be read before the connection breaks. */
const UNREAD_MS = 5_000;

/**
 * Reads and discards the rest of a request that is answered already, within bounds, and then breaks
 * the connection. A client that writes everything before it reads thus still receives the answer.
 * Returns whether there was anything to read.
 */
export const drainRequest = ({ raw, admission }: FastifyRequest): boolean =>
  drainMessage(raw, admission?.isKnown ? KNOWN_LINGER : STRANGERS_LINGER);

/** Does the same for a message of which nothing is known but its head. */
export function drainMessage(raw: IncomingMessage, bounds = STRANGERS_LINGER): boolean {
  if (raw.complete || raw.destroyed) return false;
  // Nobody waits for the end of a body that is longer.
  const isTooLong = Number(raw.headers['content-length']) > bounds.bytes;
  const timer = setTimeout(() => raw.destroy(), isTooLong ? UNREAD_MS : bounds.ms);
  raw.once('close', () => clearTimeout(timer));
  raw.once('end', () => clearTimeout(timer));
  if (isTooLong) {
    // Without any reader, Node discards the whole body at full speed after the answer.
    raw.on('readable', () => {});
    return true;
  }
  let size = 0;
  raw.unpipe();
  raw.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > bounds.bytes) raw.destroy();
  });
  raw.resume();
  return true;
}
