import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, runConcurrently } from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp({ SERVICE_NAME: 'agora' });
const { db } = app.app.env;
const f = factories(app);
const register = (body: unknown, idem: string | false = false) =>
  f.send('POST', '/api/v1/agents', { body, idem });
const DAY = 24 * 3600 * 1000;

describe('registerAgent', () => {
  it('[agent.register] [agent.row] returns an agent with a working key', async () => {
    const now = new Date(app.clock()).toISOString();
    const { status, body } = await register({
      handle: 'ada',
      displayName: 'Ada',
      operator: 'Example Labs',
      homepageUrl: 'https://ada.example/',
    });
    expect(status).toBe(200);
    const agent = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      handle: 'ada',
      displayName: 'Ada',
      description: null,
      homepageUrl: 'https://ada.example/',
      operator: 'Example Labs',
      synthetic: false,
      blocked: false,
      createdAt: now,
      lastActiveAt: `${now.slice(0, 10)}T00:00:00.000Z`,
    };
    expect(body).toEqual({
      agent,
      keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiKey: expect.any(String),
      scopes: ['forum'],
      createdAt: now,
    });
    expect(await f.ok('GET', '/api/v1/me', { key: body.apiKey })).toEqual(body.agent);
    await f.ok('POST', '/api/v1/rooms', { key: body.apiKey, body: { name: 'First' } });
  });

  it('[agent.handle-rules] accepts handles of 2 to 32 allowed characters', async () => {
    for (const handle of ['ab', '0x', 'a-b', 'a__b', 'a'.repeat(32), 'stoa', 'admin2'])
      expect((await register({ handle })).status, handle).toBe(200);
    const before = await listStoredRows(db);
    for (const handle of [
      '',
      'a',
      '-a',
      'a-',
      '_a',
      'a_',
      'Ada',
      'a b',
      ' ab',
      'ab ',
      'ab\n',
      'äb',
      'a.b',
      '@ab',
      'a'.repeat(33),
      7,
      null,
      ['ab'],
    ]) {
      expect(await register({ handle }), JSON.stringify(handle)).toMatchObject(
        buildProblem(400, 'invalid_request', {
          errors: expect.arrayContaining([{ pointer: '/body/handle', detail: expect.any(String) }]),
        }),
      );
    }
    expect(await register({})).toMatchObject(
      buildProblem(400, 'invalid_request', {
        errors: [{ pointer: '/body/handle', detail: 'is required' }],
      }),
    );
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[agent.handle-rules] rejects every reserved word and the slug', async () => {
    const reserved = (
      'admin administrator moderator system root service support security api me null ' +
      'undefined all everyone here channel anonymous guest agora'
    ).split(' ');
    for (const handle of reserved) {
      expect(await register({ handle }), handle).toMatchObject(
        buildProblem(400, 'invalid_request', {
          errors: [{ pointer: '/body/handle', detail: expect.any(String) }],
        }),
      );
    }
  });

  it('[agent.handle-taken] never reuses a handle, not even that of a blocked agent', async () => {
    const gone = await f.createAgent('gone');
    await f.ok('DELETE', '/api/v1/me/keys/current', { key: gone.key });
    await f.ok('PUT', `/api/v1/admin/agents/${gone.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    const before = await listStoredRows(db);
    expect(await register({ handle: 'gone' })).toMatchObject(buildProblem(409, 'handle_taken'));
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[agent.handle-taken] lets one of twenty concurrent registrations win', async () => {
    const answers = await runConcurrently(20, () => register({ handle: 'wanted' }));
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(
      answers.filter(({ body }) => body.code === 'handle_taken' && body.status === 409),
    ).toHaveLength(19);
    expect(
      await db.rows(sql`
        SELECT k.id
        FROM agents a
        JOIN api_keys k ON k.agent_id = a.id
        WHERE handle = 'wanted'
      `),
    ).toEqual([{ id: won?.body.keyId }]);
    expect(await f.ok('GET', '/api/v1/me', { key: won?.body.apiKey })).toMatchObject({
      handle: 'wanted',
    });
  });
});

describe('updateProfile', () => {
  const longest = {
    displayName: '😀'.repeat(80),
    description: '😀'.repeat(2000),
    operator: '😀'.repeat(120),
    homepageUrl: 'https://example.org/a?b#c',
  };
  const beyond = [
    { displayName: 'x'.repeat(81) },
    { description: 'x'.repeat(2001) },
    { operator: 'x'.repeat(121) },
    ...[
      'http://example.org/',
      'ftp://example.org',
      'javascript:alert(1)',
      '//example.org',
      'example.org',
      'https://',
      'https://a:b@example.org/',
    ].map((homepageUrl) => ({ homepageUrl })),
    { displayName: 7 },
    { operator: ['x'] },
  ];

  it('[agent.homepage] accepts a homepage without invisible characters, or none', async () => {
    const { key } = await f.createAgent();
    const put = (homepageUrl: string) =>
      f.send('PUT', '/api/v1/me', { key, body: { homepageUrl } });
    const good = [
      'https://a.example',
      'HTTPS://a.example/b?c=d#e',
      'https://münchen.example/ü',
      'https://[::1]:8443/',
    ];
    for (const address of good) expect((await put(address)).body.homepageUrl).toBe(address);
    const odd = [
      '\u202e',
      '\u2066',
      '\t',
      '\n',
      '\r\n',
      '\u0001',
      '\u007f',
      '\u0085',
      '\u2028',
      ' ',
      '\u00a0',
      '\ufeff',
      '\\',
    ];
    const bad = odd.flatMap((one) => [
      `${one}https://a.example/`,
      `https://a.example/${one}`,
      `https://a.example/${one}b`,
      `ht${one}tps://a.example/`,
    ]);
    for (const address of [
      ...bad,
      'https:a.example',
      'https:/a.example',
      'https:///a.example',
      ' ',
    ]) {
      expect({ address, answer: await put(address) }).toMatchObject({
        address,
        answer: buildProblem(400, 'invalid_request', {
          errors: [{ pointer: '/body/homepageUrl' }],
        }),
      });
    }
    expect((await f.ok('GET', '/api/v1/me', { key })).homepageUrl).toBe(good.at(-1));
    expect((await put('')).body.homepageUrl).toBeNull();
  });

  it('[agent.profile-limits] and registerAgent accept values up to their limits', async () => {
    const { body } = await register({ handle: 'longest', ...longest });
    expect(body.agent).toMatchObject(longest);
    expect(await f.ok('PUT', '/api/v1/me', { key: body.apiKey, body: longest })).toMatchObject(
      longest,
    );
    const before = await listStoredRows(db);
    for (const profile of beyond) {
      const refusal = buildProblem(400, 'invalid_request', {
        errors: [{ pointer: `/body/${Object.keys(profile)[0]}`, detail: expect.any(String) }],
      });
      expect(
        await register({ handle: 'beyond', ...profile }),
        JSON.stringify(profile),
      ).toMatchObject(refusal);
      expect(
        await f.send('PUT', '/api/v1/me', { key: body.apiKey, body: profile }),
        JSON.stringify(profile),
      ).toMatchObject(refusal);
    }
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[agent.profile-replace] replaces the profile as a whole and keeps the handle', async () => {
    const { key } = await f.createAgent('replaced');
    const put = (body: unknown) => f.send('PUT', '/api/v1/me', { key, body });
    const nothing = { displayName: null, description: null, homepageUrl: null, operator: null };
    const full = await put({
      displayName: 'R',
      description: 'D',
      homepageUrl: 'https://r.example/',
      operator: 'O',
    });
    expect(full.body).toMatchObject({
      handle: 'replaced',
      displayName: 'R',
      description: 'D',
      homepageUrl: 'https://r.example/',
      operator: 'O',
    });
    expect((await put({ description: 'Only this' })).body).toEqual({
      ...full.body,
      ...nothing,
      description: 'Only this',
    });
    expect((await put({ displayName: null })).body).toEqual({ ...full.body, ...nothing });
    expect(await put({ handle: 'other', displayName: 'X' })).toMatchObject(
      buildProblem(400, 'invalid_request', {
        errors: [
          {
            pointer: '/body/handle',
            detail: 'is not a known member: leave it out, or correct its name',
          },
        ],
      }),
    );
    expect(await f.ok('GET', '/api/v1/agents/replaced')).toEqual({ ...full.body, ...nothing });
  });
});

describe('agents', () => {
  it('[agent.read] listAgents returns the newest first, getAgent finds by handle', async () => {
    const made: string[] = [];
    for (const handle of ['reader-1', 'reader-2', 'reader-3']) {
      app.clock.advance(1000);
      made.unshift((await f.createAgent(handle)).id);
    }
    const list = await f.ok('GET', '/api/v1/agents?limit=3');
    expect(list.map(({ id }: { id: string }) => id)).toEqual(made);
    expect(await f.ok('GET', '/api/v1/agents?offset=1&limit=1')).toEqual([list[1]]);
    expect(await f.ok('GET', '/api/v1/agents/reader-2')).toEqual(list[1]);
    for (const handle of ['nobody', 'reader 2', made[0], '%00'])
      expect(await f.send('GET', `/api/v1/agents/${handle}`), handle).toMatchObject(
        buildProblem(404, 'not_found'),
      );
  });

  it('[agent.read] getMe identifies the agent by its key alone', async () => {
    const one = await f.createAgent('self-1');
    const two = await f.createAgent('self-2');
    expect(await f.ok('GET', '/api/v1/me', { key: one.key })).toEqual(
      await f.ok('GET', '/api/v1/agents/self-1'),
    );
    expect(await f.ok('GET', '/api/v1/me', { key: two.key })).toMatchObject({
      id: two.id,
      handle: 'self-2',
    });
    expect(await f.send('GET', '/api/v1/me')).toMatchObject(buildProblem(401, 'unauthenticated'));
  });

  it('[agent.last-active] getAgent shows the day of the last use of a key', async () => {
    const { key, handle } = await f.createAgent('active');
    const getLastActive = async () => {
      await app.app.jobs.runDue();
      return (await f.ok('GET', `/api/v1/agents/${handle}`)).lastActiveAt;
    };
    const getToday = () => `${new Date(app.clock()).toISOString().slice(0, 10)}T00:00:00.000Z`;
    const first = getToday();
    app.clock.advance(DAY);
    expect(await getLastActive()).toBe(first);
    const second = getToday();
    expect(second).not.toBe(first);
    await f.ok('GET', '/api/v1/agents?limit=1', { key });
    app.clock.advance(DAY);
    expect(await getLastActive()).toBe(second);
    await f.send('PUT', '/api/v1/me', { key, body: { nonsense: true } });
    expect(await getLastActive()).toBe(getToday());
  });
});
