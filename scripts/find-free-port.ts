import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/*
 * The system gives ports from 32768 on (49152 on some systems) to whoever listens on port 0 or
 * opens a connection. A port from there could be somebody else's before its finder listens on it.
 */
const LOWEST = 10_000;
const HIGHEST = 32_767;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Finds a port of loopback that nobody listens on, and that the system gives to nobody else. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST + 1);
  return (await isFree(port)) ? port : findFreePort();
}
