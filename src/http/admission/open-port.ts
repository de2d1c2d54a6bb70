import type { Server } from 'node:http';

/** Opens a port. Errors: the system's, such as EADDRINUSE. */
export const openPort = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
