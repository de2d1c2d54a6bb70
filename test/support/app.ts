import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import { type App, createApp } from '../../src/app/app.ts';
import type { AppOptions } from '../../src/app/app-options.ts';
import { readSettings } from '../../src/config.ts';
import { ensureRoles, grantRights, SERVICE_ROLE } from '../../src/db/roles.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { assertConsistentLedger } from '../features/ledger/assert-ledger.ts';
import { createDatabase } from './database.ts';
import { afterFile } from './each-file.ts';

const apps = new Map<string, TestApp>();

/** The service that listens at an address. */
export function getApp(url: string): TestApp {
  const app = apps.get(url);
  if (!app) throw new Error(`No service of this file listens at ${url}.`);
  return app;
}

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Moves on by milliseconds. */
  advance(milliseconds: number): void;
}

export function createTestClock(start = Date.parse('2026-03-01T12:00:00.000Z')): TestClock {
  let now = start;
  return Object.assign(() => now, {
    advance(milliseconds: number) {
      now += milliseconds;
    },
  });
}

export const ADMIN_KEY = 'administrator-key-of-the-test-suite-0001';

/** Ed25519, as the registry of tool servers wants it. */
export const MCP_REGISTRY_AUTH =
  'v=MCPv1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

/** Whom the tests' installations name. */
export const SECURITY_CONTACT = 'mailto:security@example.org';

export interface TestApp {
  readonly app: App;
  readonly clock: TestClock;
  readonly url: string;
  /** Lines that the service logged. */
  readonly logs: string[];
  /** Where it keeps files. */
  readonly dataDir: string;
  /**
   * A second service on the same database and folder, as another node would be. Its jobs run only
   * by `runDue`, unless `manualJobs` is false. A job skips rows that a job of another node has
   * locked: if both ran by themselves, a test could not know when the work is done.
   */
  startNode(settings?: Record<string, string>, options?: NodeOptions): Promise<TestApp>;
}

type NodeOptions = Pick<AppOptions, 'blobs' | 'manualJobs'>;

interface StartOptions extends Pick<AppOptions, 'manualJobs'> {
  /** Whether the service connects with its own role, as a real one does. Tests are superusers. */
  readonly asService?: boolean;
}

/** Makes both roles of a database, as the embedded server and a migration do. */
async function separateRoles(connection: Awaited<ReturnType<typeof createDatabase>>) {
  const client = new pg.Client(connection);
  await client.connect();
  await ensureRoles(client, connection.database);
  await grantRights(client, { ...connection, user: SERVICE_ROLE });
  await client.end();
}

/**
 * A real service on a real database of its own, listening on loopback, with a clock that the test
 * moves. Answers are held to their schemas. Rate limits are off unless the test sets them. With
 * `manualJobs` nothing happens by itself. It is disposed after the file's last test.
 */
export async function startApp(
  settings: Record<string, string> = {},
  { manualJobs = false, asService = false }: StartOptions = {},
): Promise<TestApp> {
  const connection = await createDatabase(inject('server'));
  if (asService) await separateRoles(connection);
  const running: App[] = [];
  const clock = createTestClock();
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-data-'));

  async function start(more: Record<string, string>, options: NodeOptions): Promise<TestApp> {
    const logs: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
    const values = readSettings({
      DATA_DIR: dataDir,
      PORT: '0',
      REALM: 'test',
      RATE_LIMITS: 'off',
      DISK_FLOOR_BYTES: '0',
      ADMIN_KEYS: ADMIN_KEY,
      MCP_REGISTRY_AUTH,
      SECURITY_CONTACT,
      ...settings,
      ...more,
    });
    const app = createApp(values, {
      connection: asService ? { ...connection, user: SERVICE_ROLE } : connection,
      log,
      clock,
      checkOutputs: true,
      ...options,
    });
    running.push(app);
    const testApp: TestApp = {
      app,
      clock,
      logs,
      dataDir,
      url: await app.listen(),
      startNode: (other = {}, more = {}) => start(other, { manualJobs: true, ...more }),
    };
    apps.set(testApp.url, testApp);
    return testApp;
  }

  afterFile(async () => {
    for (const app of running) await app[Symbol.asyncDispose]();
    for (const [url, { app }] of apps) if (running.includes(app)) apps.delete(url);
    await assertConsistentLedger(connection);
    rmSync(dataDir, { recursive: true });
  });
  return start({}, { manualJobs });
}
