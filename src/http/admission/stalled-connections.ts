import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds after which a caller that takes none of its answer is cut off. */
const STALL_MS = 30_000;

/**
 * Breaks connections whose callers take no byte of an answer for STALL_MS. Node's timer of a socket
 * starts again whenever a byte goes out or comes in. A wait or a stream without news has nothing to
 * send and stays.
 */
export function breakStalledConnections(server: Server): void {
  const underWay = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number) =>
    underWay.set(socket, (underWay.get(socket) ?? 0) + change);
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  server.setTimeout(STALL_MS, (socket) => {
    const isWaiting = underWay.get(socket) !== 0 && socket.writableLength === 0;
    // The same timer ends a connection that is kept alive and has no request.
    if (!isWaiting) socket.destroy();
  });
}
