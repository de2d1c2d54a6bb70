import { availableParallelism } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import type { TransactionOptions } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { signInClient } from '../features/sign-in/client.ts';
import { send, sendForm } from '../features/sign-in/requests.ts';
import { startApp } from '../support/app.ts';
import { buildProblem, factories, runConcurrently, waitUntil } from '../support/factories.ts';

/* Callers wait for the database in turns, and not behind the queue of somebody else. */

const app = await startApp({}, { manualJobs: true });
const { db, groupCommit, searches, slowSearches } = app.app.env;
const f = factories(app);
const client = signInClient(app);

/** Frees what a test that failed still holds. */
const freeAll: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const free of freeAll.splice(0)) await free();
});

/** Takes places among the transactions, as slow ones would, and returns what frees them. */
async function hold(places: number, options: TransactionOptions = {}) {
  let held = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const transactions = runConcurrently(places, () =>
    db.transaction(async (tx) => {
      // The database ends a transaction that idles for long, and a machine may be slow.
      await tx.run(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
      held += 1;
      await gate;
    }, options),
  );
  const free = () => {
    open();
    return transactions;
  };
  freeAll.push(free);
  await waitUntil('the places are taken', () => held === places);
  return free;
}

/** How many calls wait for the database. */
const countWaiting = (): number => db.pool.waitingCount + groupCommit.waiting;

/** How many transactions write at once. */
const WRITERS = availableParallelism() + 1;

/**
 * Tells whether an answer comes although all places are taken. Otherwise its call stays in the
 * queue, which holds `before` others. A call that only waits to share a commit leaves it soon.
 */
async function isAnswered(answer: Promise<{ status: number }>, before: number): Promise<number> {
  let status = 0;
  let looks = 0;
  void answer.then((given) => (status = given.status));
  await waitUntil('it is answered or waits', () => {
    looks = countWaiting() > before ? looks + 1 : 0;
    return status > 0 || looks === 100;
  });
  return status;
}

it('[attack.4-3] a call waits for one of each other caller, a shared commit for none', async () => {
  const eve = await f.createAgent();
  const bob = await f.createAgent();
  const cyd = await f.createAgent();
  const threadId = await f.createThread(cyd, await f.createRoom(cyd));
  const clientId = await client.register();
  const tokens = await client.signIn(clientId, cyd.key);
  const order: string[] = [];
  const note = async (who: string, answer: Promise<{ status: number }>) => {
    expect((await answer).status).toBe(200);
    order.push(who);
  };
  // One place is left, so that the order of answers is that of turns.
  const freeOthers = await hold(WRITERS - 1);
  const freeLast = await hold(1);
  const rooms = runConcurrently(40, () =>
    note('eve', f.send('POST', '/api/v1/rooms', { key: eve.key, body: { name: 'One of many' } })),
  );
  await waitUntil('they wait', () => countWaiting() === 40);

  const post = f.send('POST', `/api/v1/threads/${threadId}/messages`, {
    key: cyd.key,
    body: { body: 'Nobody is before me.' },
  });
  expect(await isAnswered(post, 40)).toBe(200);
  const nonsense = { token: 'stoa_refresh_x', client_id: clientId };
  expect(await isAnswered(sendForm(`${app.url}/oauth/revoke`, nonsense), 40)).toBe(200);
  const stranger = f.send('POST', '/api/v1/agents', { body: { handle: 'a-stranger' } });
  expect(await isAnswered(stranger, 40)).toBe(200);
  const code = { grant_type: 'authorization_code', code: 'x', client_id: clientId };
  expect(await isAnswered(sendForm(`${app.url}/oauth/token`, code), 40)).toBe(400);

  const others = [
    note('bob', f.send('PUT', '/api/v1/me', { key: bob.key, body: { displayName: 'Bob' } })),
    note('cyd', client.refresh(clientId, tokens.refresh_token)),
  ];
  await waitUntil('they wait too', () => countWaiting() === 42);
  await freeLast();
  await Promise.all(others);
  expect(order.filter((who) => who === 'eve').length).toBeLessThan(20);
  await freeOthers();
  await rooms;
});

it('[attack.4-5] the list of requests and searches do not wait for each other', async () => {
  const long: TransactionOptions = { statementTimeoutMs: 1_000 };
  const freeSearches = await hold(availableParallelism(), long);
  expect(await isAnswered(f.send('GET', '/api/v1/requests'), 0)).toBe(200);
  expect(await isAnswered(send(`${app.url}/requests`, 'GET'), 0)).toBe(200);
  await freeSearches();

  const freeLists = await hold(availableParallelism(), { ...long, queue: 'lists' });
  const freeLast = await hold(1, { ...long, queue: 'lists', caller: 'somebody' });
  const search = f.send('GET', '/api/v1/search?q=anything');
  expect(await isAnswered(search, 0)).toBe(200);
  const lists = runConcurrently(33, () => f.send('GET', '/api/v1/requests'));
  await waitUntil('a queue is full', () => countWaiting() === 32);
  const { key } = await f.createAgent();
  const other = f.send('GET', '/api/v1/requests', { key });
  await waitUntil('somebody else waits', () => countWaiting() === 33);
  await freeLists();
  await freeLast();
  expect((await other).status).toBe(200);
  const answers = await lists;
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
  expect(answers.find(({ status }) => status !== 200)).toMatchObject(
    buildProblem(429, 'rate_limited', { retryAfterSeconds: 1 }),
  );
});

it('[attack.4-5] searches and lists of one caller leave a place to others', async () => {
  for (const queue of ['long', 'lists'] as const) {
    const free = await hold(availableParallelism(), { statementTimeoutMs: 1_000, queue });
    const own = db.transaction(async () => {}, { statementTimeoutMs: 1_000, queue });
    await waitUntil('the caller waits for its own', () => db.countWaitingReads(queue) === 1);
    const path = queue === 'long' ? '/api/v1/search?q=anything' : '/api/v1/requests';
    expect(await isAnswered(f.send('GET', path), 1)).toBe(200);
    await free();
    await own;
  }
});

it('[attack.15-1] eight searches of a slow caller wait, and those of others do not', async () => {
  const { id, key } = await f.createAgent();
  slowSearches.begin({ name: id, pays: [] })(true);
  const free = await hold(1, { statementTimeoutMs: 1_000, queue: 'slow' });
  const search = () => f.send('GET', '/api/v1/search?q=anything', { key });
  const waiting = runConcurrently(9, search);
  await waitUntil('eight wait', () => countWaiting() === 8);
  expect(await isAnswered(f.send('GET', '/api/v1/search?q=anything'), 8)).toBe(200);
  await free();
  const statuses = (await waiting).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array<number>(8).fill(200), 429]);
});

it('[attack.16-1] (API4) nobody is refused a search because of those who come later', async () => {
  const { key } = await f.createAgent();
  const search = () => f.send('GET', '/api/v1/search?q=anything', { key });
  const works = Array.from({ length: 40 }, (_, nr) => searches.begin(`agent ${nr}`));
  await waitUntil('there is too much to do', () => searches.mustRefuse('somebody else'));
  expect((await search()).status).toBe(200);
  const long: TransactionOptions = { statementTimeoutMs: 1_000, queue: 'long' };
  const read = (nr: number) => db.transaction(async () => {}, { ...long, caller: `agent ${nr}` });
  // Their reads are known to be short.
  await runConcurrently(4, read);
  const free = await hold(availableParallelism(), long);
  const freeLast = await hold(1, { ...long, caller: 'somebody' });
  const reads = runConcurrently(4, read);
  expect(await search()).toMatchObject(buildProblem(503, 'unavailable', { retryAfterSeconds: 1 }));
  await free();
  await freeLast();
  await reads;
  for (const { end } of works) end();
});

it('[attack.4-5] requests at deep offsets wait with the deep pages of all lists', async () => {
  const places = Math.max(1, Math.floor(availableParallelism() / 2));
  const free = await hold(places, { statementTimeoutMs: 1_000, queue: 'deep' });
  let answered = 0;
  const deep = runConcurrently(12, async () => {
    const answer = await f.send('GET', '/api/v1/requests?offset=1001');
    answered += 1;
    return answer;
  });
  await waitUntil('all wait or are answered', () => countWaiting() + answered === 12);
  expect(countWaiting()).toBe(9);
  await free();
  const refused = (await deep).filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(3);
  for (const answer of refused) {
    expect(answer).toMatchObject(buildProblem(503, 'unavailable', { retryAfterSeconds: 1 }));
    expect(answer.body.detail).toContain('`before`');
  }
});

it('[attack.51-1] (API4) the page of a thread has its turn, and waits for no other', async () => {
  const bob = await f.createAgent();
  const threadId = await f.createThread(bob, await f.createRoom(bob));
  const lists = { statementTimeoutMs: 5_000, queue: 'lists' } as const;
  const frees = [
    await hold(WRITERS - 1, { ...lists, caller: 'one' }),
    await hold(1, { ...lists, caller: 'another' }),
  ];
  expect((await f.send('GET', `/threads/${threadId}`, { key: bob.key })).status).toBe(200);
  for (const free of frees) await free();
});

it('[attack.54-1] (API4) the turn of a page is over when its texts are rendered', async () => {
  const node = await app.startNode();
  const { db: ownDb, eventLoopTurns } = node.app.env;
  const bob = await f.createAgent();
  const threadId = await f.createThread(bob, await f.createRoom(bob), { body: '*x* '.repeat(999) });
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  let rendering = 0;
  // Costly pieces of others are made first.
  const { wait } = eventLoopTurns;
  eventLoopTurns.wait = async (caller) => {
    rendering += 1;
    await gate;
    return wait(caller);
  };
  const pages = runConcurrently(3, () =>
    factories(node).send('GET', `/threads/${threadId}`, { key: bob.key }),
  );
  await waitUntil('all are rendered', () => rendering >= 3);
  expect(ownDb.waitsForOwnTurns('html', bob.id)).toBe(false);
  open();
  expect((await pages).map(({ status }) => status)).toEqual([200, 200, 200]);
});

it('[attack.51-2] (API4) messages are read while pages for people have all turns', async () => {
  const bob = await f.createAgent();
  const threadId = await f.createThread(bob, await f.createRoom(bob));
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const pages = runConcurrently(8, (nr) => db.readInTurn('html', () => gate, `${nr}`));
  const page = f.send('GET', `/threads/${threadId}`, { key: bob.key });
  await waitUntil('a page waits', () => db.countWaitingTurns('html', bob.id) === 1);
  const path = `/api/v1/threads/${threadId}/messages`;
  expect((await f.send('GET', path, { key: bob.key })).status).toBe(200);
  open();
  await pages;
  expect((await page).status).toBe(200);
});
