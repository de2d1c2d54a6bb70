import { expect, it } from 'vitest';
import { raw, sql } from '../../src/db/sql.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { factories, type Json, runConcurrently, waitUntil } from '../support/factories.ts';
import { countWaitingForLocks, whileLocked } from '../support/locks.ts';

/* Pages of messages are long if their authors want it, and many ask for them at once. */

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const ada = await f.createAgent();
const room = await f.createRoom(ada);
/** Each of these characters is six bytes of JSON. */
const escaped = '\u0001'.repeat(65_536);
const thread = await f.createThread(ada, room, { body: escaped });
for (let count = 0; count < 15; count++) await f.postMessage(ada, thread, escaped);
const messages = `/api/v1/threads/${thread}/messages`;

it('[attack.49-2] (API4) a page of characters that are longer as JSON ends before', async () => {
  const positions: number[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const { text } = await f.send('GET', `${messages}?limit=100&offset=${next}`);
    expect(Buffer.byteLength(text)).toBeLessThan(2.5 * 1024 * 1024);
    const page = JSON.parse(text);
    positions.push(...page.messages.map(({ position }: Json) => position));
    next = page.nextOffset;
  }
  expect(positions).toEqual(Array.from({ length: 16 }, (_, position) => position));
});

it('[attack.49-2] (API4) the page of an anchor has it, however long those before are', async () => {
  const { id } = (await f.ok('GET', `${messages}?limit=1&offset=12`)).messages[0];
  const { text } = await f.send('GET', `${messages}?limit=100&anchorId=${id}`);
  expect(Buffer.byteLength(text)).toBeLessThan(2.5 * 1024 * 1024);
  expect(JSON.parse(text).messages.map((message: Json) => message.id)).toContain(id);
});

it('[attack.49-2] (API4) many pages that are asked for at once are paid one by one', async () => {
  const node = await app.startNode({ RATE_LIMITS: 'reads=60/d' });
  const bob = await f.createAgent();
  const ask = () => factories(node).send('GET', `${messages}?limit=100`, { key: bob.key });
  let asked: ReturnType<typeof runConcurrently<Awaited<ReturnType<typeof ask>>>> | undefined;
  await whileLocked(db, sql`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`, async () => {
    asked = runConcurrently(40, ask);
    const { db: ownDb } = node.app.env;
    await waitUntil('the others wait', () => ownDb.countWaitingTurns('pages', bob.id) === 36);
    expect(await countWaitingForLocks(db)).toBe(4);
  });
  const answers = (await asked) ?? [];
  const statuses = answers.map(({ status }) => status);
  // Four are read at once, and a page costs more than all that is left.
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, headers } of refused) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

it.each([
  ['a thread', `/threads/${thread}/feed.atom`, 'messages'],
  ['a room', `/rooms/${room}/feed.atom`, 'threads'],
])('[attack.54-2] (API4) feeds of %s are paid one by one', async (_, path, table) => {
  for (let count = 0; count < 20; count++) {
    const other = await f.createThread(ada, room, { title: `Feed of ${table} ${count}` });
    const body = { summary: '"'.repeat(4_000), messageIds: [] };
    await f.ok('PUT', `/api/v1/threads/${other}/summary`, { key: ada.key, body });
  }
  const node = await app.startNode({ RATE_LIMITS: 'reads=41/d' });
  const bob = await f.createAgent();
  const ask = () => factories(node).send('GET', path, { key: bob.key });
  let asked: ReturnType<typeof runConcurrently<Awaited<ReturnType<typeof ask>>>> | undefined;
  const lock = sql`LOCK TABLE ${raw(table)} IN ACCESS EXCLUSIVE MODE`;
  await whileLocked(db, lock, async () => {
    asked = runConcurrently(40, ask);
    const { db: ownDb } = node.app.env;
    await waitUntil('the others wait', () => ownDb.countWaitingTurns('html', bob.id) === 38);
  });
  const statuses = ((await asked) ?? []).map(({ status }) => status);
  // Two are read at once, and a feed costs more than all that is left.
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 429)).toHaveLength(38);
});

it('[attack.58-2] (API1) a feed that waited is decided in its turn', async () => {
  const bob = await f.createAgent();
  const hidden = await f.createRoom(ada, 'private');
  await f.addMember(ada, hidden, bob);
  const secret = await f.createThread(ada, hidden);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pages = runConcurrently(8, (nr) => db.readInTurn('html', () => gate, `page ${nr}`));
  const feed = f.send('GET', `/threads/${secret}/feed.atom`, { key: bob.key });
  await waitUntil('it waits', () => db.countWaitingTurns('html', bob.id) === 1);
  await f.ok('DELETE', `/api/v1/rooms/${hidden}/members/${bob.id}`, { key: ada.key });
  open();
  await pages;
  expect((await feed).status).toBe(404);
});

/** Asks from an address whose turns of pages are taken, and changes something while that waits. */
async function askBehindTurns<Answer>(
  node: TestApp,
  address: string,
  times: number,
  ask: (address: string) => Promise<Answer>,
  change: () => Promise<unknown>,
): Promise<Answer[]> {
  const { db: ownDb } = node.app.env;
  const caller = `address:${address}`;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = runConcurrently(2, () => ownDb.readInTurn('html', () => gate, caller));
  const answers = runConcurrently(times, () => ask(address));
  await waitUntil('they wait', () => ownDb.countWaitingTurns('html', caller) === times);
  await change();
  release();
  await held;
  return answers;
}

it('[attack.58-3] (API1) a page that was kept meanwhile shows no deleted thread', async () => {
  const owner = await f.createAgent();
  const gone = await f.createThread(owner, await f.createRoom(owner), { body: 'What was said.' });
  const node = await app.startNode({ TRUST_PROXY: '1' });
  const ask = (address: string) =>
    factories(node).send('GET', `/threads/${gone}`, {
      headers: { accept: 'text/html', 'x-forwarded-for': address },
    });
  const answers = await askBehindTurns(node, '203.0.113.1', 2, ask, async () => {
    // A page is kept when it is made the second time.
    for (let count = 0; count < 2; count++) expect((await ask('203.0.113.2')).status).toBe(200);
    await f.ok('DELETE', `/api/v1/admin/threads/${gone}?reason=spam`, { admin: true });
  });
  expect(answers.map(({ status }) => status)).toEqual([410, 410]);
});

it('[attack.60-1] (API1) no page is kept with an outcome that came while it waited', async () => {
  const owner = await f.createAgent();
  const id = await f.createThread(owner, await f.createRoom(owner), { body: 'What was said.' });
  const node = await app.startNode({ TRUST_PROXY: '1' });
  const ask = (address: string) =>
    factories(node).send('GET', `/threads/${id}`, {
      headers: { accept: 'text/html', 'x-forwarded-for': address },
    });
  // A page is kept when it is made the second time.
  expect((await ask('203.0.113.7')).status).toBe(200);
  const body = { summary: 'An abusive outcome.' };
  const [answer] = await askBehindTurns(node, '203.0.113.8', 1, ask, () =>
    f.ok('PUT', `/api/v1/threads/${id}/summary`, { key: owner.key, body }),
  );
  expect(answer?.text).toContain(body.summary);
  await f.ok('DELETE', `/api/v1/admin/threads/${id}/summary?reason=abuse`, { admin: true });
  const { status, text } = await ask('203.0.113.9');
  expect(status).toBe(200);
  expect(text).not.toContain(body.summary);
});

it('[attack.60-1] (API1) each change of an outcome is another version of its thread', async () => {
  const id = await f.createThread(ada, room);
  const readRevision = async () =>
    (await db.first<{ revision: number }>(sql`SELECT revision FROM threads WHERE id = ${id}`))
      ?.revision;
  const put = (summary: string) =>
    f.ok('PUT', `/api/v1/threads/${id}/summary`, { key: ada.key, body: { summary } });
  const revisions = [await readRevision()];
  for (const change of [
    () => put('One.'),
    () => put('Two.'),
    () => f.ok('DELETE', `/api/v1/admin/threads/${id}/summary?reason=abuse`, { admin: true }),
  ]) {
    await change();
    revisions.push(await readRevision());
  }
  expect(new Set(revisions).size).toBe(revisions.length);
});

it('[attack.60-1] (API1) no page is kept with the name that its room had for a while', async () => {
  const owner = await f.createAgent();
  const renamed = await f.createRoom(owner);
  const id = await f.createThread(owner, renamed, { body: 'What was said.' });
  const rename = (name: string) =>
    f.ok('PUT', `/api/v1/rooms/${renamed}`, { key: owner.key, body: { name } });
  await rename('As before');
  const node = await app.startNode({ TRUST_PROXY: '1' });
  const ask = (address: string) =>
    factories(node).send('GET', `/threads/${id}`, {
      headers: { accept: 'text/html', 'x-forwarded-for': address },
    });
  expect((await ask('203.0.113.17')).text).toContain('As before');
  const [answer] = await askBehindTurns(node, '203.0.113.18', 1, ask, () => rename('For a while'));
  expect(answer?.text).toContain('For a while');
  await rename('As before');
  expect((await ask('203.0.113.19')).text).toContain('As before');
});

it('[attack.51-5] (API4) no page is kept for an anchor that is not on it', async () => {
  const { id } = (await f.ok('GET', `${messages}?limit=1&offset=8`)).messages[0];
  const ids = (page: Json) => page.messages.map((message: Json) => message.id);
  for (let count = 0; count < 2; count++) await f.ok('GET', `${messages}?limit=16&offset=0`);
  expect(ids(await f.ok('GET', `${messages}?limit=16&anchorId=${id}`))).toContain(id);
});

it('[message.page-anchor] a page with a small budget has a long anchor', async () => {
  const other = await f.createThread(ada, room);
  for (let count = 0; count < 5; count++) await f.postMessage(ada, other, 'short '.repeat(20));
  const { id } = await f.postMessage(ada, other, 'a'.repeat(6_000));
  await f.postMessage(ada, other, 'short');
  const page = await f.ok('GET', `/api/v1/threads/${other}/messages?anchorId=${id}&budget=1000`);
  expect(page.messages.map((message: Json) => message.id)).toContain(id);
});
