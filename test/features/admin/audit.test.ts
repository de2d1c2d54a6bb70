import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { createAdminKey, revokeAdminKey } from '../../../src/features/keys/admin-keys.ts';
import { isMutation } from '../../../src/kernel/operation/any-operation.ts';
import { makeValidCall } from '../../operations/cases.ts';
import { callOperation, createFixture, registry } from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import { afterFile } from '../../support/each-file.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp(await allFeaturesOn());
const { db, newId, random } = app.app.env;
const f = factories(app);
const now = () => new Date(app.clock()).toISOString();
const listAudit = (search = 'limit=100'): Promise<Json[]> =>
  f.ok('GET', `/api/v1/admin/audit?${search}`, { admin: true });
const countAudit = async () =>
  (await db.first<{ count: number }>(sql`SELECT count(*) AS count FROM audit_log`))?.count ?? 0;

describe('listAudit', () => {
  it('[audit.every-act] lists who did what to what, when and why for every act', async () => {
    const ada = await f.createAgent();
    const other = await f.createAgent();
    const roomId = await f.createRoom(ada);
    const threadId = await f.createThread(ada, roomId);
    const { id: messageId } = await f.postMessage(ada, threadId, 'Words.');
    const reported = await f.ok('POST', '/api/v1/reports', {
      key: other.key,
      body: { targetType: 'thread', targetId: threadId, reason: 'spam' },
    });
    const agent = `/api/v1/admin/agents/${ada.id}`;
    const acts: [string, string, object | undefined, object][] = [
      [
        'PUT',
        `${agent}/block`,
        { blocked: true, reason: 'Floods.' },
        { action: 'agent.blocked', targetId: ada.id, reason: 'Floods.', facts: {} },
      ],
      [
        'PUT',
        `${agent}/block`,
        { blocked: false },
        { action: 'agent.unblocked', targetId: ada.id, reason: null, facts: {} },
      ],
      [
        'PUT',
        `${agent}/synthetic`,
        { synthetic: true },
        { action: 'agent.flagged', targetId: ada.id, facts: { synthetic: true } },
      ],
      [
        'PUT',
        `${agent}/capabilities/credits`,
        { state: 'revoked', reason: 'Asked.' },
        {
          action: 'capability.decided',
          targetId: ada.id,
          reason: 'Asked.',
          facts: { capability: 'credits', state: 'revoked' },
        },
      ],
      [
        'POST',
        `/api/v1/admin/reports/${reported.id}/resolve`,
        { note: 'Deleted.' },
        {
          action: 'report.resolved',
          targetType: 'report',
          targetId: reported.id,
          reason: 'Deleted.',
          facts: { outcome: 'actioned' },
        },
      ],
      [
        'DELETE',
        `/api/v1/admin/messages/${messageId}?reason=${encodeURIComponent('  an advertisement é ')}`,
        undefined,
        {
          action: 'message.deleted',
          targetId: messageId,
          reason: 'an advertisement é',
          facts: { threadId, roomId, authorId: ada.id, repeated: false },
        },
      ],
      [
        'DELETE',
        `/api/v1/admin/messages/${messageId}`,
        undefined,
        {
          action: 'message.deleted',
          targetId: messageId,
          reason: null,
          facts: { threadId, roomId, authorId: ada.id, repeated: true },
        },
      ],
      [
        'DELETE',
        `/api/v1/admin/threads/${threadId}`,
        undefined,
        {
          action: 'thread.deleted',
          targetType: 'thread',
          targetId: threadId,
          facts: { roomId, authorId: ada.id, messageCount: 2, repeated: false },
        },
      ],
    ];
    for (const [method, path, body, expected] of acts) {
      app.clock.advance(1000);
      const idem = newId();
      const before = await countAudit();
      for (let time = 0; time < 2; time++) await f.ok(method, path, { admin: true, idem, body });
      expect({ path, count: await countAudit() }).toEqual({ path, count: before + 1 });
      expect((await listAudit())[0]).toMatchObject({
        ...expected,
        createdAt: now(),
        administrator: expect.stringMatching(/^setting:[0-9a-f]{12}$/),
        administratorName: null,
      });
    }
    for (const path of [
      `/api/v1/admin/threads/${threadId}?reason=${'x'.repeat(501)}`,
      `/api/v1/admin/threads/${threadId}?reason=a%00b`,
    ])
      expect(await f.sendForOutcome('DELETE', path, { admin: true })).toBe('400 invalid_request');
  });

  it('[audit.every-act] names a key of the command line and records its life', async () => {
    const by = 'command line: root';
    const key = await createAdminKey(db, { name: 'operator', by, now: now(), newId, random });
    const ada = await f.createAgent();
    await f.ok('PUT', `/api/v1/admin/agents/${ada.id}/synthetic`, {
      admin: key.key,
      body: { synthetic: true },
    });
    expect(await revokeAdminKey(db, key.id, { by, now: now(), newId })).toBe(true);
    const before = await countAudit();
    for (const id of [key.id, newId(), 'nonsense'])
      expect(await revokeAdminKey(db, id, { by, now: now(), newId })).toBe(false);
    expect(await countAudit()).toBe(before);
    const target = {
      targetType: 'admin-key',
      targetId: key.id,
      administrator: by,
      administratorName: null,
      facts: { name: 'operator' },
    };
    expect(await listAudit('limit=3')).toMatchObject([
      { action: 'admin-key.revoked', ...target },
      {
        action: 'agent.flagged',
        administrator: key.id,
        administratorName: 'operator',
        targetId: ada.id,
      },
      { action: 'admin-key.created', ...target },
    ]);
    expect(JSON.stringify(await listAudit())).not.toContain(key.key.slice(20));
  });

  it('[audit.every-act] has one entry for every operation that changes something', async () => {
    const acts = registry.filter(
      (operation) => operation.auth === 'admin' && isMutation(operation),
    );
    expect(acts.length).toBeGreaterThanOrEqual(6);
    for (const operation of acts) {
      const { input, as } = await makeValidCall(operation.name, await createFixture(f), f);
      const before = await countAudit();
      expect((await callOperation(app.url, operation, input, as)).status, operation.name).toBe(200);
      expect({ name: operation.name, count: await countAudit() }).toEqual({
        name: operation.name,
        count: before + 1,
      });
    }
  });

  it('[audit.every-act] has the entry in the same transaction as the act', async () => {
    const ada = await f.createAgent();
    await db.run(
      sql`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'full'; END $$
      `,
    );
    await db.run(
      sql`CREATE TRIGGER refuse BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const blocking = await f.send('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    await expect(
      createAdminKey(db, { name: 'operator', by: 'tests', now: now(), newId, random }),
    ).rejects.toThrow('full');
    await db.run(sql`DROP TRIGGER refuse ON audit_log`);
    expect(blocking.status).toBe(500);
    expect((await f.ok('GET', `/api/v1/agents/${ada.handle}`)).blocked).toBe(false);
    expect(await db.rows(sql`SELECT 1 FROM admin_keys WHERE revoked_at IS NULL`)).toEqual([]);
  });

  it('[audit.list] returns entries newest first, page by page', async () => {
    const ada = await f.createAgent();
    for (let n = 0; n < 60; n++) {
      app.clock.advance(n % 3 === 0 ? 0 : 1000);
      await f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
        admin: true,
        body: { blocked: false, reason: `${n}` },
      });
    }
    const pages = await f.listPages('/api/v1/admin/audit?limit=25', { admin: true });
    const all = pages.flat();
    expect({ length: all.length, size: new Set(all.map(({ id }) => id)).size }).toEqual({
      length: await countAudit(),
      size: all.length,
    });
    expect(all.slice(0, 60).map(({ reason }) => Number(reason))).toEqual(
      Array.from({ length: 60 }, (_, n) => 59 - n),
    );
    const order = all.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(order).toEqual([...order].sort().reverse());
    expect(await listAudit('offset=10&limit=5')).toEqual(all.slice(10, 15));
    expect(await listAudit('')).toEqual(all.slice(0, 50));
  });
});

describe('the audit table', () => {
  const attempts: readonly Sql[] = [
    sql`UPDATE audit_log SET reason = 'nothing happened'`,
    sql`UPDATE audit_log SET reason = reason WHERE false`,
    sql`DELETE FROM audit_log`,
    sql`DELETE FROM audit_log WHERE action = 'agent.blocked'`,
    sql`TRUNCATE audit_log`,
    sql`TRUNCATE audit_log CASCADE`,
    sql`
      INSERT INTO audit_log
      SELECT *
      FROM audit_log
      LIMIT 1
      ON CONFLICT (id)
      DO UPDATE SET reason = 'nothing happened'
    `,
    sql`
      WITH gone AS (DELETE FROM audit_log RETURNING *)
      SELECT *
      FROM gone
    `,
    sql`MERGE INTO audit_log a USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE`,
    sql`SELECT * FROM audit_log FOR UPDATE`,
  ];
  const listRows = (of: typeof db) => of.rows(sql`SELECT * FROM audit_log ORDER BY id`);

  it('[audit.append-only] rejects changes in the embedded database', async () => {
    await f.ok('PUT', `/api/v1/admin/agents/${(await f.createAgent()).id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    const before = await listRows(db);
    expect(before.length).toBeGreaterThan(0);
    expect(await db.first(sql`SELECT rolsuper FROM pg_roles WHERE rolname = current_user`)).toEqual(
      { rolsuper: true },
    );
    for (const attempt of attempts.slice(0, -1))
      await expect(db.run(attempt), attempt.text).rejects.toThrow('audit_log is append-only');
    const replaying = db.transaction(async (tx) => {
      await tx.run(sql`SET LOCAL session_replication_role = replica`);
      await tx.run(sql`DELETE FROM audit_log`);
    });
    await expect(replaying).rejects.toThrow('audit_log is append-only');
    expect(await listRows(db)).toEqual(before);
  });

  it('[audit.append-only] rejects changes by an ordinary role that owns it', async () => {
    const server = inject('server');
    const connection = await createDatabase(server);
    const admin = new pg.Client(connection);
    await admin.connect();
    const role = `plain_${connection.database}`;
    await admin.query(
      `CREATE ROLE ${role} LOGIN; DROP SCHEMA public CASCADE; CREATE SCHEMA public ` +
        `AUTHORIZATION ${role}`,
    );
    const plain = { ...connection, user: role };
    await migrate(plain);
    const own = openDatabase(plain);
    afterFile(async () => {
      await own[Symbol.asyncDispose]();
      await admin.query(
        `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`,
      );
      await admin.end();
    });
    await createAdminKey(own, { name: 'operator', by: 'tests', now: now(), newId, random });
    const before = await listRows(own);
    expect(before).toHaveLength(1);
    for (const attempt of attempts)
      await expect(own.run(attempt), attempt.text).rejects.toThrow(/append-only|permission denied/);
    expect(await listRows(own)).toEqual(before);
  });
});
