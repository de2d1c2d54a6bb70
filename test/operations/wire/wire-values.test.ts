import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { readSettings } from '../../../src/config.ts';
import { sql } from '../../../src/db/sql.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;
const owner = await f.createAgent();
const room = await f.createRoom(owner);

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('ids', () => {
  const makers: readonly (readonly [string, () => Promise<string>])[] = [
    ['agent', async () => (await f.createAgent()).id],
    ['key', async () => (await f.createScopedKey(await f.createAgent(), ['forum'])).id],
    [
      'original key',
      async () =>
        (await f.ok('POST', '/api/v1/agents', { body: { handle: `k${randomUUID().slice(0, 8)}` } }))
          .keyId,
    ],
    ['room', () => f.createRoom(owner)],
    [
      'invitation',
      async () => (await f.ok('POST', `/api/v1/rooms/${room}/invitations`, { key: owner.key })).id,
    ],
    ['thread', () => f.createThread(owner, room)],
    [
      'first message',
      async () =>
        (
          await f.ok('POST', `/api/v1/rooms/${room}/threads`, {
            key: owner.key,
            body: { title: 'T', body: 'B' },
          })
        ).messageId,
    ],
    [
      'message',
      async () => (await f.postMessage(owner, await f.createThread(owner, room), 'Hello')).id,
    ],
  ];

  it.each(makers)(
    '[wire.uuid-v7] of a new %s are UUIDv7 and sort by creation, within a millisecond too',
    async (_, make) => {
      const ids: string[] = [];
      for (const step of [0, 0, 0, 1, 0, 60_000]) {
        app.clock.advance(step);
        ids.push(await make());
      }
      for (const id of ids) expect(id).toMatch(UUID_V7);
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect(Number.parseInt((ids.at(-1) as string).replace('-', '').slice(0, 12), 16)).toBe(
        app.clock(),
      );
    },
  );

  const known = ['1', '2', '3', '4', '5', '6', '7', '8'].map(
    (version) => `01936f4e-8a2b-${version}c3d-9e4f-5a6b7c8d9e0f`,
  );
  const special = [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '01936F4E-8A2B-4C3D-9E4F-5A6B7C8D9E0F',
  ];

  it.each([...known, ...special])('[wire.uuid-input] %s names nothing', async (id) => {
    const as = { key: owner.key };
    for (const path of [
      `/rooms/${id}`,
      `/threads/${id}`,
      `/threads/${id}/messages`,
      `/rooms/${id}/members`,
    ]) {
      expect(await f.sendForOutcome('GET', `/api/v1${path}`, as)).toBe('404 not_found');
    }
    for (const path of [
      `/me/keys/${id}`,
      `/rooms/${room}/members/${id}`,
      `/rooms/${room}/invitations/${id}`,
    ]) {
      expect(await f.sendForOutcome('DELETE', `/api/v1${path}`, as)).toBe('404 not_found');
    }
    expect(
      await f.sendForOutcome('PUT', `/api/v1/admin/agents/${id}/block`, {
        admin: true,
        body: { blocked: true },
      }),
    ).toBe('404 not_found');
  });

  it('[wire.uuid-input] are the same in upper case', async () => {
    expect((await f.ok('GET', `/api/v1/rooms/${room.toUpperCase()}`)).id).toBe(room);
  });
});

describe('times', () => {
  /** Every time in a record, by the names that times have. */
  const listTimes = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) =>
          /(At|asOf)$/.test(name) && one !== null ? [one] : listTimes(one),
        )
      : [];

  it('[wire.time] are ISO 8601 in UTC with milliseconds', async () => {
    app.clock.advance(7);
    const thread = await f.createThread(owner, room);
    await f.ok('PUT', `/api/v1/threads/${thread}/summary`, {
      key: owner.key,
      body: { summary: 'S' },
    });
    const paths = [
      '/agents',
      '/me',
      '/me/keys',
      '/me/capabilities',
      '/rooms',
      `/rooms/${room}/members`,
      '/threads',
      `/threads/${thread}/messages`,
      '/events',
      '/stats',
    ];
    const answers = await Promise.all(
      paths.map((path) => f.ok('GET', `/api/v1${path}`, { key: owner.key })),
    );
    const times = listTimes(answers);
    expect(times.length).toBeGreaterThan(30);
    for (const time of times) expect(time).toMatch(TIME);
    expect(times).toContain(new Date(app.clock()).toISOString());
  });

  it('[wire.time] as input may be any RFC 3339 time and come back in the one form', async () => {
    const make = (expiresAt: string) =>
      f.ok('POST', '/api/v1/me/keys', { key: owner.key, body: { scopes: ['forum'], expiresAt } });
    expect((await make('2030-01-31T13:00:00+01:00')).expiresAt).toBe('2030-01-31T12:00:00.000Z');
    expect((await make('2030-01-31t12:00:00.123456z')).expiresAt).toBe('2030-01-31T12:00:00.123Z');
  });

  it.each([
    '2027-02-30T00:00:00Z',
    '2027-02-29T00:00:00.000Z',
    '2027-04-31T12:00:00+02:00',
    '2027-13-01T00:00:00Z',
    '2027-00-10T00:00:00Z',
    '2027-01-00T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:60:00Z',
    '2027-01-01T00:00:00+24:00',
    '9999-12-31T23:59:59-01:00',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '2027-01-01',
    '2027-01-01T00:00:00',
    '2027-01-01T00:00Z',
    ' 2027-01-01T00:00:00Z',
    '+002027-01-01T00:00:00Z',
    '1 January 2027',
  ])('[wire.time-input] %j is none', async (expiresAt) => {
    const answer = await f.send('POST', '/api/v1/me/keys', {
      key: owner.key,
      body: { scopes: ['forum'], expiresAt },
    });
    const fault = { pointer: '/body/expiresAt', detail: expect.stringMatching(/^must be a time/) };
    expect(answer).toMatchObject(buildProblem(400, 'invalid_request', { errors: [fault] }));
  });

  it.each([
    ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59.000Z'],
    ['2028-02-29 00:00:00.123456789+00:30', '2028-02-28T23:30:00.123Z'],
    ['2030-12-31t23:59:59-00:01', '2031-01-01T00:00:59.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('[wire.time-input] %s is one', async (sent, expiresAt) => {
    expect(
      await f.ok('POST', '/api/v1/me/keys', {
        key: owner.key,
        body: { scopes: ['forum'], expiresAt: sent },
      }),
    ).toMatchObject({ expiresAt });
  });

  it('[wire.time] that one request writes are one reading of the clock', async () => {
    const connection = await createDatabase(inject('server'));
    // Each reading is a millisecond later than the one before.
    let reading = app.clock();
    const clock = () => ++reading;
    const settings = readSettings({
      PORT: '0',
      REALM: 'test',
      RATE_LIMITS: 'off',
      ADMIN_KEYS: ADMIN_KEY,
    });
    const own = createApp(settings, {
      connection,
      log: pino({ level: 'silent' }),
      clock,
      checkOutputs: true,
    });
    onTestFinished(async () => {
      await own[Symbol.asyncDispose]();
    });
    const g = factories({ url: await own.listen() });
    const ada = await g.createAgent();
    const bob = await g.createAgent();
    const place = await g.createRoom(ada);
    await g.joinRoom(bob, place);
    const { id, createdAt } = await g.ok('POST', `/api/v1/rooms/${place}/threads`, {
      key: ada.key,
      body: { title: 'T', body: `For @${bob.handle}` },
    });

    const written = await own.env.db.rows<{ at: string }>(sql`
      SELECT created_at AS at
      FROM threads
      UNION
      SELECT last_message_at
      FROM threads
      UNION
      SELECT created_at
      FROM messages
      UNION
      SELECT created_at
      FROM events
      UNION
      SELECT created_at
      FROM subscriptions
      UNION
      SELECT occurred_at
      FROM portable_events
      UNION
      SELECT created_at
      FROM idempotency_records
      WHERE operation = 'createThread'
    `);
    expect(written).toEqual([{ at: createdAt }]);
    const shown = [
      await g.ok('GET', `/api/v1/threads/${id}`),
      await g.ok('GET', `/api/v1/threads/${id}/messages`),
      await g.listEvents(bob),
    ].flatMap(listTimes);
    expect(new Set(shown)).toEqual(new Set([createdAt]));
  });
});

describe('integers', () => {
  it.each([
    '1.5',
    '-1',
    '9007199254740992',
    '9007199254740993',
    '99999999999999999999',
    '1e3',
    '1e999',
    '0x10',
    '',
    ' 1',
    '+1',
    'NaN',
    'Infinity',
    'null',
    '1,2',
    'true',
  ])('[wire.integers] the cursor %j is refused', async (cursor) => {
    const answer = await f.send('GET', `/api/v1/events?cursor=${encodeURIComponent(cursor)}`, {
      key: owner.key,
    });
    expect(answer).toMatchObject(
      buildProblem(400, 'invalid_request', {
        errors: [
          {
            pointer: '/query/cursor',
            detail: expect.stringMatching(/^must be (an integer|from 0 to)/),
          },
        ],
      }),
    );
  });

  it('[wire.integers] cursors and counts are exact up to 2^53-1', async () => {
    const reader = await f.createAgent();
    const head = Number.MAX_SAFE_INTEGER;
    await db.run(sql`
      UPDATE event_heads
      SET head = ${head}::bigint
      WHERE agent_id = ${reader.id}
    `);
    const read = (cursor: number) =>
      f.ok('GET', `/api/v1/events?cursor=${cursor}`, { key: reader.key });
    expect(await read(head)).toEqual({
      events: [],
      nextCursor: head,
      hasMore: false,
      unreadCount: 0,
    });
    const roomId = await f.createRoom(reader);
    await db.run(sql`
      INSERT INTO events (agent_id, seq, reasons, room_id, actor_id, created_at)
      VALUES (${reader.id}, ${head}::bigint, 4, ${roomId}, ${reader.id}, now())
    `);
    expect(await read(head - 1)).toMatchObject({
      events: [{ id: head }],
      nextCursor: head,
      unreadCount: 0,
    });
    expect(JSON.stringify(await f.ok('GET', '/api/v1/stats'))).toMatch(/"agents":\d+,/);
    const counts: Json = await f.ok('GET', '/api/v1/stats');
    for (const [name, count] of Object.entries(counts))
      if (name !== 'asOf') expect(Number.isSafeInteger(count), name).toBe(true);
  });
});
