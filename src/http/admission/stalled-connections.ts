import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicClock } from '../../kernel/clock.ts';

/** In each span of STALL_MS a caller must take so many bytes of an answer that waits for it. */
const STALL_MS = 30_000;
const STALL_BYTES = 64 * 1024;
/** Milliseconds between two looks at what callers have taken. */
const CHECK_MS = 5_000;

/** A connection with requests under way. */
interface Reader {
  requests: number;
  /** The bytes that it had taken, and when, at the last look at which it was not slow. */
  taken: number;
  since: number;
}

/**
 * The system's side of a connection. Node has no public way to see how much of one long piece was
 * taken. All supported versions have these two; without them, only whole pieces count.
 */
interface WritingSocket extends Socket {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
}

/** Counts the bytes of a connection's answers that have left the process. */
function countTaken(socket: WritingSocket): number {
  const { bytesWritten, writeQueueSize } = socket._handle ?? {};
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize;
}

/**
 * Breaks connections of which the system takes less than STALL_BYTES of a waiting answer in
 * STALL_MS: its own buffer is full, because the caller does not read. What callers send meanwhile
 * does not count, as empty lines between requests cost nothing. A wait or a stream without news has
 * nothing to send and stays. A connection that is silent and has no request ends after STALL_MS.
 */
export function breakStalledConnections(server: Server, now = monotonicClock): void {
  const readers = new Map<Socket, Reader>();
  server.on('request', ({ socket }, response) => {
    const reader = readers.get(socket) ?? { requests: 0, taken: countTaken(socket), since: now() };
    reader.requests += 1;
    readers.set(socket, reader);
    response.once('close', () => {
      reader.requests -= 1;
      if (reader.requests === 0) readers.delete(socket);
    });
  });

  function check(): void {
    const at = now();
    for (const [socket, reader] of readers) {
      const taken = countTaken(socket);
      // The response to a request that was never begun does not close.
      if (socket.destroyed) readers.delete(socket);
      else if (socket.writableLength === 0 || taken - reader.taken >= STALL_BYTES) {
        reader.taken = taken;
        reader.since = at;
      } else if (at - reader.since >= server.timeout) socket.destroy();
    }
    timer = setTimeout(check, Math.min(CHECK_MS, server.timeout)).unref();
  }

  let timer = setTimeout(check, CHECK_MS).unref();
  server.once('close', () => clearTimeout(timer));
  server.setTimeout(STALL_MS, (socket) => {
    if (!readers.has(socket)) socket.destroy();
  });
}
