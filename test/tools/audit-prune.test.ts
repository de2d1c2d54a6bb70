import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { ensureRoles, OWNER_ROLE, SERVICE_ROLE } from '../../src/db/roles.ts';
import { createDatabase } from '../support/database.ts';
import { query, runCommand, toDatabaseUrl } from '../support/service.ts';

const connection = await createDatabase(inject('server'));
const client = new pg.Client(connection);
await client.connect();
await ensureRoles(client, connection.database).finally(() => client.end());
const environment = {
  DATABASE_URL: toDatabaseUrl({ ...connection, user: SERVICE_ROLE }),
  DATABASE_OWNER_URL: toDatabaseUrl({ ...connection, user: OWNER_ROLE }),
  REALM: 'test',
};
const DAY_SECONDS = 24 * 3600;
const inDays = (days: number) => ({
  ...environment,
  CLOCK_OFFSET_SECONDS: String(days * DAY_SECONDS),
});
const listActions = async () =>
  (await query(connection, 'SELECT action FROM audit_log ORDER BY created_at, id')).map(
    ({ action }) => action,
  );

it('[audit.prune] deletes what is older, and records that', async () => {
  await runCommand('admin-key create --name old', environment);
  await runCommand('admin-key create --name young', inDays(20));
  const prune = (days: number, at: number) => runCommand(`audit prune --days ${days}`, inDays(at));
  expect(await prune(30, 29)).toMatchObject({ code: 0, out: expect.stringContaining('Deleted 0') });
  expect(await listActions()).toEqual(['admin-key.created', 'admin-key.created']);
  expect(await prune(30, 40)).toMatchObject({ code: 0, out: expect.stringContaining('Deleted 1') });
  expect(await listActions()).toEqual(['admin-key.created', 'audit.pruned']);
  const [pruned] = await query(
    connection,
    "SELECT facts, administrator FROM audit_log WHERE action = 'audit.pruned'",
  );
  expect(pruned).toMatchObject({
    facts: { entries: 1 },
    administrator: expect.stringMatching(/^command line: /),
  });
});

it('[audit.prune] leaves the audit as closed as it was', async () => {
  const remove = 'DELETE FROM audit_log';
  await expect(query(connection, remove)).rejects.toThrow('append-only');
  for (const user of [OWNER_ROLE, SERVICE_ROLE])
    await expect(query({ ...connection, user }, remove)).rejects.toThrow(/append-only|permission/);
});

it.for(['29', '0', '-5', 'all'])('[audit.prune] refuses --days=%s', async (days) => {
  const { code, err } = await runCommand(`audit prune --days=${days}`, environment);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('--days must be a whole number from 30 up'),
  });
});
