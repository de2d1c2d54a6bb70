import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { findSystemCode } from './embedded-errors.ts';
import type { SocketConnection } from './embedded-types.ts';

/**
 * The key of the advisory lock ("stoa" in ASCII) that a service has for as long as it runs. The
 * database releases it when the service is killed.
 */
const SERVICE_LOCK = 0x73746f61;

/** The port number in the socket's file name. The folder is Stoa's alone, so it never clashes. */
export const POSTGRES_PORT = 5432;

/**
 * Opens one connection. The lock is in the database `postgres`: locks belong to a database, and a
 * restore may drop `stoa` itself.
 * Errors: the driver's; SQLSTATE 57P03 while the server starts, ENOENT or ECONNREFUSED without one.
 */
export async function openSession(
  connection: SocketConnection,
  database = 'postgres',
): Promise<Client> {
  const client = new Client({
    ...connection,
    database,
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: 'stoa-keeper',
  });
  // Without a listener, a server that ends would cause an uncaught exception.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Tries to take the service's lock in this session; false when a running service has it. */
export async function tryServiceLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS taken',
    [SERVICE_LOCK],
  );
  return rows[0]?.taken === true;
}

/**
 * Creates a database unless it exists. After a kill between initdb and here, the next start does.
 */
export async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`).catch((error: unknown) => {
    if (findSystemCode(error) !== '42P04') throw error;
  });
}

/** Whether any process listens on the socket, on this machine's process list or in a container. */
export function isListening(folder: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, `.s.PGSQL.${port}`));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(findSystemCode(error) === 'EAGAIN'));
  });
}
