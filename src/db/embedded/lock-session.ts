import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { codeOf } from './embedded-errors.ts';
import type { Connection } from './embedded-types.ts';

/** "stoa" in ASCII: the advisory lock that a service holds for as long as it lives; the database frees it when the service is killed. */
const serviceLock = 0x73746f61;

/** The one port name in the socket's file name; the folder is ours alone, so it never clashes. */
export const port = 5432;

/**
 * Opens one connection. `postgres` is where the lock lives: locks belong to a database, and `stoa` itself may be dropped by a restore.
 * @throws the driver's error: SQLSTATE 57P03 while the database starts, ENOENT or ECONNREFUSED while there is none
 */
export async function openSession(connection: Connection, database = 'postgres'): Promise<Client> {
  const client = new Client({
    ...connection,
    database,
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: 'stoa-keeper',
  });
  // Without a listener, the end of the server would be an uncaught exception.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Takes the service's lock on this session; false when a living service has it. */
export async function tryServiceLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS taken',
    [serviceLock],
  );
  return rows[0]?.taken === true;
}

/** Makes sure that a database exists. Repeatable: a kill between initdb and here is made good by the next start. */
export async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`).catch((error: unknown) => {
    if (codeOf(error) !== '42P04') throw error;
  });
}

/** Whether any process, on this machine's process list or in another container, listens on the socket. */
export function isListening(folder: string, at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, `.s.PGSQL.${at}`));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(codeOf(error) === 'EAGAIN'));
  });
}
