import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { appendOnlyTables, OWNER_ROLE, SERVICE_ROLE } from '../../../src/db/roles.ts';
import { factories } from '../../support/factories.ts';
import { createFolder, startService } from '../../support/service.ts';

const dataDir = createFolder();
const service = await startService({ DATA_DIR: dataDir });
const f = factories(service);

async function connect(user: string): Promise<pg.Client> {
  const host = join(dataDir, 'postgres', 'socket');
  const client = new pg.Client({ host, port: 5432, user, database: 'stoa' });
  await client.connect();
  return client;
}

describe("the service's own role", () => {
  it('[ops.two-roles] is no superuser and owns nothing', async () => {
    const client = await connect(SERVICE_ROLE);
    const { rows } = await client.query(
      `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls AS mighty,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned
       FROM pg_roles r WHERE rolname = current_user`,
    );
    expect(rows).toEqual([{ mighty: false, owned: 0 }]);
    const busy = await client.query(
      `SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'stoa'`,
    );
    await client.end();
    expect(busy.rows).toEqual([{ usename: SERVICE_ROLE }]);
  });

  it('[ops.two-roles] changes neither history nor what guards it', async () => {
    const agent = await f.createAgent();
    const room = await f.createRoom(agent);
    await f.createThread(agent, room);
    const client = await connect(SERVICE_ROLE);
    const forbidden = [
      ...appendOnlyTables.flatMap((table) => [
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `TRUNCATE ${table}`,
        `DELETE FROM ${table}`,
        `DROP TABLE ${table}`,
        `CREATE TRIGGER own BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION now()`,
      ]),
      'SET session_replication_role = replica',
      `SET ROLE ${OWNER_ROLE}`,
      'CREATE TABLE own (id int)',
      'CREATE TEMP TABLE own (id int)',
      `COPY agents TO PROGRAM 'cat'`,
      'DELETE FROM migrations',
      'CREATE OR REPLACE FUNCTION count_thread() RETURNS trigger LANGUAGE sql AS $$ SELECT 1 $$',
    ];
    for (const statement of forbidden) {
      const outcome = await client.query(statement).then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      expect({ statement, outcome }).toEqual({ statement, outcome: '42501' });
    }
    await client.end();
  });

  it('[ops.two-roles] is one of two, and everything belongs to the other', async () => {
    const client = await connect(OWNER_ROLE);
    const { rows } = await client.query(
      `SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class
       WHERE relnamespace = 'public'::regnamespace
       UNION
       SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );
    await client.end();
    expect(rows).toEqual([{ owner: OWNER_ROLE }]);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
