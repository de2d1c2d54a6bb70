import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently, waitUntil } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const writer = await f.createAgent();
const room = await f.createRoom(writer);
const threads = [await f.createThread(writer, room), await f.createThread(writer, room)];

const post = (key: string, thread = threads[0], body = 'Twin') =>
  f.send('POST', `/api/v1/threads/${thread}/messages`, {
    key: writer.key,
    idem: key,
    body: { body },
  });

it('[attack.15-4] posts with one key in two threads: one is posted, one refused', async () => {
  for (let nr = 0; nr < 10; nr++) {
    const key = randomUUID();
    const others = runConcurrently(3, () => post(randomUUID()));
    const answers = await Promise.all(threads.map((thread) => post(key, thread)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    for (const { status } of await others) expect(status).toBe(200);
  }
});

it('[attack.15-4] the same post many times at once is one message', async () => {
  const key = randomUUID();
  const answers = await runConcurrently(8, () => post(key));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed'))).toHaveLength(7);
});

it('[attack.17-3] (API4) calls beside a key that another node used commit together', async () => {
  const other = await app.startNode();
  const { db, groupCommit } = app.app.env;
  const [locked, here, there, one, another] = await runConcurrently(5, () =>
    f.createThread(writer, room),
  );
  const key = randomUUID();
  const keys = [randomUUID(), randomUUID()] as const;
  const posts = await db.transaction(async (tx) => {
    await tx.run(sql`SELECT 1 FROM threads WHERE id = ${locked} FOR UPDATE`);
    const first = post(randomUUID(), locked);
    await waitUntil('a batch waits', async () => {
      const [row] = await db.rows<{ waits: number }>(
        sql`SELECT count(*)::int AS waits FROM pg_locks WHERE NOT granted`,
      );
      return row?.waits === 1;
    });
    const next = [post(key, here), post(keys[0], one), post(keys[1], another)];
    await waitUntil('the next are there', () => groupCommit.waiting === 3);
    const twin = await factories(other).send('POST', `/api/v1/threads/${there}/messages`, {
      key: writer.key,
      idem: key,
      body: { body: 'Twin' },
    });
    expect(twin.status).toBe(200);
    return [first, ...next];
  });
  const statuses = (await Promise.all(posts)).map(({ status }) => status);
  expect(statuses).toEqual([200, expect.any(Number), 200, 200]);
  expect([409, 422]).toContain(statuses[1]);
  const transactions = await db.rows(sql`
    SELECT DISTINCT xmin::text
    FROM idempotency_records
    WHERE key = ANY(${[...keys]}::text[])
  `);
  expect(transactions).toHaveLength(1);
});
