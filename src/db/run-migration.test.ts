import pg from 'pg';
import { afterAll, expect, inject, it, vi } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { buildClientConfig } from './client-config.ts';
import { runMigration } from './run-migration.ts';

const connection = await createDatabase(inject('server'));
const open = async () => {
  const client = new pg.Client(buildClientConfig(connection));
  await client.connect();
  return client;
};
const client = await open();
const other = await open();
afterAll(() => Promise.all([client.end(), other.end()]));

it('[ops.migration-yields] says once that a step waits for a lock, and goes on', async () => {
  await client.query('CREATE TABLE held (id integer)');
  await other.query('BEGIN; LOCK TABLE held');
  const told: string[] = [];
  const sql = ['ALTER TABLE held ADD COLUMN IF NOT EXISTS more integer', 'SELECT 1'];
  const migrating = runMigration(client, { id: -1, name: 'held', sql }, (text) => told.push(text));
  await vi.waitUntil(() => told.length > 0, { timeout: 15_000 });
  await other.query('COMMIT');
  await migrating;
  expect(told).toEqual(['Migration -1 (held) waits for a lock that others have, and tries again.']);
  const { rows } = await client.query('SELECT name FROM migrations WHERE id = -1');
  expect(rows).toEqual([{ name: 'held' }]);
});
