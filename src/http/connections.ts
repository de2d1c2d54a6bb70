import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Creates a function that closes idle connections, including those that never carried a request.
 * Browsers and clients open some of these in advance, and Node's own closeIdleConnections takes
 * them for busy.
 */
export function createIdleCloser(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

/** Opens a port. Errors: the system's, such as EADDRINUSE. */
export const openPort = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
