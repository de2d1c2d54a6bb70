import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { sql } from '../../../src/db/sql.ts';
import { SettingError } from '../../../src/setting-parsers.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const getReplayedHeader = (answer: { headers: Headers }) =>
  answer.headers.get('idempotency-replayed');
const keyReused = buildProblem(422, 'idempotency_key_reused');
const createRoom = (agent: Pick<TestAgent, 'key'>, idem: string, name = 'A room') =>
  f.send('POST', '/api/v1/rooms', { key: agent.key, idem, body: { name } });
const DAY = 24 * 3600 * 1000;

describe('the scope of a key', () => {
  it('[idem.scope] is the agent or administrator and the operation', async () => {
    const ada = await f.createAgent();
    const eve = await f.createAgent();
    const idem = 'one-key-for-all';
    const other = 'another-administrator-of-the-tests-0002';
    const node = factories(await app.startNode({ ADMIN_KEYS: `${ADMIN_KEY},${other}` }));
    const flag = (admin: string | true, synthetic: boolean) =>
      node.send('PUT', `/api/v1/admin/agents/${ada.id}/synthetic`, {
        admin,
        idem,
        body: { synthetic },
      });
    const answers = [
      await createRoom(ada, idem),
      await createRoom(eve, idem, 'Of somebody else'),
      await f.send('PUT', '/api/v1/me', {
        key: ada.key,
        idem,
        body: { displayName: 'Another operation' },
      }),
      await flag(true, true),
      await flag(other, false),
      await f.send('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
        admin: true,
        idem,
        body: { blocked: false },
      }),
    ];
    expect(answers.map((answer) => [answer.status, getReplayedHeader(answer)])).toEqual(
      answers.map(() => [200, null]),
    );
    expect(getReplayedHeader(await createRoom(ada, idem))).toBe('true');
    expect(getReplayedHeader(await createRoom(eve, idem, 'Of somebody else'))).toBe('true');
    expect(await createRoom(eve, idem)).toMatchObject(keyReused);
  });

  it('[idem.scope] is the same for every key of the agent, rotated or further', async () => {
    const ada = await f.createAgent();
    const { apiKey: further } = await f.createScopedKey(ada, ['forum']);
    const first = await createRoom(ada, 'kept');
    const { apiKey: rotated } = await f.ok('POST', '/api/v1/me/keys/rotate', { key: ada.key });
    for (const key of [further, rotated]) {
      const again = await createRoom({ key }, 'kept');
      expect({ text: again.text, replayed: getReplayedHeader(again) }).toEqual({
        text: first.text,
        replayed: 'true',
      });
    }
  });
});

describe('a record', () => {
  const listRecords = (agent: TestAgent) =>
    db.rows<{ key: string }>(sql`
      SELECT key
      FROM idempotency_records
      WHERE scope = ${`agent:${agent.id}`}
    `);

  it('[idem.errors-unrecorded] is not made for an error: the key stays free', async () => {
    const owner = await f.createAgent();
    const ada = await f.createAgent();
    const roomId = await f.createRoom(owner);
    const threadId = await f.createThread(owner, roomId);
    const before = await listStoredRows(db);
    const post = (body: unknown, path = `/api/v1/threads/${threadId}/messages`, key = ada.key) =>
      f.send('POST', path, { key, idem: 'try', body });
    expect(await post({})).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await post({ body: 'Hello', replyToId: newId() })).toMatchObject(
      buildProblem(403, 'membership_required'),
    );
    expect(await post({ body: 'Hello' })).toMatchObject(buildProblem(403, 'membership_required'));
    expect(await post({ body: 'Hello' }, `/api/v1/threads/${newId()}/messages`)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await post({ body: 'x'.repeat(65_537) })).toMatchObject(
      buildProblem(413, 'payload_too_large'),
    );
    expect(await post({ body: 'Hello' }, undefined, `${ada.key.slice(0, -1)}!`)).toMatchObject(
      buildProblem(401, 'invalid_credential'),
    );
    expect(await listStoredRows(db)).toEqual(before);
    expect(await listRecords(ada)).toEqual([]);
    await f.joinRoom(ada, roomId);
    expect(await post({ body: 'Hello', replyToId: newId() })).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    const done = await post({ body: 'Hello' });
    expect({ status: done.status, replayed: getReplayedHeader(done) }).toEqual({
      status: 200,
      replayed: null,
    });
    expect(getReplayedHeader(await post({ body: 'Hello' }))).toBe('true');
  });

  it('[idem.retention] is kept for seven days; then the key is free again', async () => {
    const ada = await f.createAgent();
    const first = await createRoom(ada, 'weekly');
    app.clock.advance(7 * DAY);
    await app.app.jobs.runDue();
    expect((await createRoom(ada, 'weekly')).text).toBe(first.text);
    app.clock.advance(1);
    await app.app.jobs.runDue();
    expect((await listRecords(ada)).map(({ key }) => key)).not.toContain('weekly');
    const next = await createRoom(ada, 'weekly', 'Another name');
    expect({ status: next.status, replayed: getReplayedHeader(next) }).toEqual({
      status: 200,
      replayed: null,
    });
    expect(next.body.id).not.toBe(first.body.id);
  });

  it('[idem.retention] expires although no job came by', async () => {
    const ada = await f.createAgent();
    const first = await createRoom(ada, 'weekly');
    app.clock.advance(7 * DAY);
    expect((await createRoom(ada, 'weekly')).text).toBe(first.text);
    app.clock.advance(1);
    const answers = await runConcurrently(4, () => createRoom(ada, 'weekly', 'Another name'));
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    expect(ids).not.toContain(first.body.id);
  });

  it('[idem.retention] is forgotten in slices, however many there are', async () => {
    const ada = await f.createAgent();
    await db.run(sql`
      INSERT INTO idempotency_records (scope, operation, key, fingerprint, response, created_at)
      SELECT ${`agent:${ada.id}`}, 'createRoom', 'old-' || n, '\\x00', '\\x00',
        ${new Date(app.clock()).toISOString()}
      FROM generate_series(1, 25000) n
    `);
    app.clock.advance(7 * DAY + 1);
    await app.app.jobs.runDue();
    expect(await listRecords(ada)).toEqual([]);
  });

  it('[idem.retention] is kept as long as the setting says, a day at least', async () => {
    const node = await app.startNode({ IDEMPOTENCY_DAYS: '1' });
    const ada = await f.createAgent();
    const first = await createRoom(ada, 'daily');
    app.clock.advance(DAY);
    await node.app.jobs.runDue();
    expect((await createRoom(ada, 'daily')).text).toBe(first.text);
    app.clock.advance(1);
    await node.app.jobs.runDue();
    expect(getReplayedHeader(await createRoom(ada, 'daily'))).toBeNull();
    for (const days of ['0', '0.5', '-1', 'never'])
      expect(() => readSettings({ IDEMPOTENCY_DAYS: days })).toThrow(SettingError);
    expect(readSettings({ IDEMPOTENCY_DAYS: '1' }).IDEMPOTENCY_DAYS).toBe(1);
    expect(readSettings({}).IDEMPOTENCY_DAYS).toBe(7);
  });
});
