import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import type { Connection } from '../../src/db/connection.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { afterFile } from './each-file.ts';
import { removeRunFolder } from './temporary-folder.ts';

type Socket = { host: string; port: number; user: string; database: string };

declare module 'vitest' {
  interface ProvidedContext {
    server: Socket;
    /** A folder for what test modules keep; gone after the run. */
    scratch: string;
  }
}

const TEMPLATE = 'stoa_template';

/**
 * One real PostgreSQL for the whole run, with a migrated template database. Each test file copies
 * it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-test-'));
  const scratch = mkdtempSync(join(tmpdir(), 'stoa-scratch-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  const stop = async () => {
    await server.stop();
    for (const made of [dataDir, scratch]) rmSync(made, { recursive: true, force: true });
    if (server.location.relocated)
      rmSync(join(server.location.data, '..'), { recursive: true, force: true });
    removeRunFolder();
  };
  try {
    // What must survive a crash is tested with services of their own; here nothing outlives the
    // run.
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
      await query(server.connection, `ALTER SYSTEM SET ${setting} = off`);
    // With hundreds of databases the launcher would start several workers a second.
    await query(server.connection, `ALTER SYSTEM SET autovacuum_naptime = '10min'`);
    await query(server.connection, 'SELECT pg_reload_conf()');
    await query(server.connection, `CREATE DATABASE ${TEMPLATE}`);
    await migrate({ ...server.connection, database: TEMPLATE });
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('server', server.connection);
  project.provide('scratch', scratch);
  return stop;
}

async function query(connection: Socket, text: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Databases of test files of this process that are over. */
const finished: string[] = [];
/** How many of them are dropped at once. */
const DROPPED_TOGETHER = 20;

/**
 * Drops databases that nobody uses any more: all of a run would take 5 GB of memory. Dropping the
 * first makes PostgreSQL write a checkpoint, for which all others wait; then the rest is cheap.
 */
async function dropFinished(server: Socket): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    for (const database of finished.splice(0))
      await client.query(`DROP DATABASE ${database} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** Creates a database for one test file, copied from the template. */
export async function createDatabase(server: Socket): Promise<Connection & Socket> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
  afterFile(async () => {
    finished.push(database);
    if (finished.length >= DROPPED_TOGETHER) await dropFinished(server);
  });
  return { ...server, database };
}
