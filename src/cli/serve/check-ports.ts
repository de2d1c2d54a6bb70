import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../../config.ts';
import { CommandError } from '../describe-error.ts';

/** Listens on a port for a moment. Errors: CommandError when another program has it. */
async function checkPort(host: string, port: number, setting: string): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new CommandError(
      `Another program listens on ${host}:${port}: stop it, or set ${setting} to another port.`,
    );
  } finally {
    server.close();
  }
}

/**
 * Checks that the ports of the settings are free, before a database is made for a service that
 * could not serve. Errors: CommandError, which says what to set.
 */
export async function checkPorts({ HOST, PORT, METRICS_PORT }: Settings): Promise<void> {
  await checkPort(HOST, PORT, 'PORT');
  if (METRICS_PORT) await checkPort(HOST, METRICS_PORT, 'METRICS_PORT');
}
