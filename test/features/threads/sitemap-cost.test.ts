import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently } from '../../support/factories.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);
const owner = await f.createAgent();
const room = await f.createRoom(owner);
const thread = await f.createThread(owner, room);
const LOWEST = '/sitemap.xml?after=00000000-0000-0000-0000-000000000000';
const locker = new pg.Client(db.connection);
await locker.connect();
afterAll(() => locker.end());
await db.run(sql`
  INSERT INTO threads (
    id, room_id, title, kind, tags, visibility, author_id, message_count, created_at,
    last_message_at
  )
  SELECT ('01936f4e-8a2b-7c3d-9e4f-' || lpad(to_hex(n), 12, '0'))::uuid, room_id, title, kind, tags,
    visibility, author_id, 1, created_at, last_message_at
  FROM threads, generate_series(1, 12000) n
  WHERE id = ${thread}
`);

it('[attack.7-1] (API4) many who ask at once take one connection', async () => {
  await locker.query('BEGIN; LOCK TABLE threads IN ACCESS EXCLUSIVE MODE');
  const asked = runConcurrently(32, () => f.send('GET', LOWEST));
  for (let nr = 0; nr < 5; nr++)
    expect((await f.send('GET', '/api/v1/me', { key: owner.key })).status).toBe(200);
  await locker.query('COMMIT');
  const answers = await asked;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  // A few milliseconds of the event loop, and small enough to be compressed once and kept.
  expect(answers[0]?.text.length).toBeLessThan(256 * 1024);
});

it('[attack.7-1] (API4) what was rendered is read no more for ten minutes, by any id', async () => {
  const index = await f.send('GET', '/sitemap.xml');
  const files = [...index.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => String(url));
  expect(files).toHaveLength(13);
  const last = await f.send('GET', files.at(-1)?.replace(app.url, '') ?? '');
  expect(last.text).toContain(`/threads/${thread}<`);
  await f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true });
  await locker.query('BEGIN; LOCK TABLE threads IN ACCESS EXCLUSIVE MODE');
  const first = await f.send('GET', LOWEST);
  const inside = await f.send('GET', '/sitemap.xml?after=01936f4e-8a2b-7c3d-9e4f-000000000123');
  const beyond = await f.send('GET', `/sitemap.xml?after=ffff${randomUUID().slice(4)}`);
  const again = await f.send('GET', '/sitemap.xml');
  await locker.query('COMMIT');
  expect(inside.text).toBe(first.text);
  expect(beyond.text).toBe(last.text);
  expect(again.text).toBe(index.text);

  app.clock.advance(600_000);
  const later = await f.send('GET', files.at(-1)?.replace(app.url, '') ?? '');
  expect(later.text).not.toContain(thread);
  expect((await f.send('GET', '/sitemap.xml')).text).toBe(index.text);
  expect((await f.send('GET', `/threads/${thread}`)).status).toBe(410);
});

it('[attack.7-1] (API4) a search is paid by the length of its answer', async () => {
  const limited = await app.startNode({ RATE_LIMITS: 'on' });
  const readRemaining = async () => {
    const answer = await fetch(limited.url + LOWEST);
    expect((await answer.text()).length).toBeGreaterThan(128 * 1024);
    return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
  };
  const before = await readRemaining();
  expect(before - (await readRemaining())).toBe(3);
});
