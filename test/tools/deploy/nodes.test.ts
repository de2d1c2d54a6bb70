import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { ADMIN_KEY } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import { factories, type Json, type TestAgent, waitUntil } from '../../support/factories.ts';
import { createFolder, query, runCommand, toDatabaseUrl } from '../../support/service.ts';
import { visitor } from '../../support/visitor.ts';
import { hasBalancer, startBalancedNodes } from './balancer.ts';

const NODES = 3;
const SEARCHES = 30;
const LEASE_SECONDS = 5;

describe.skipIf(!hasBalancer())('three nodes behind HAProxy', async () => {
  const connection = await createDatabase(inject('server'));
  const settings = {
    DATABASE_URL: toDatabaseUrl(connection),
    DATA_DIR: createFolder(),
    ADMIN_KEYS: ADMIN_KEY,
    REALM: 'test',
    RATE_LIMITS: `reads=100000/m,writes=100000/m,searches=${SEARCHES}/m`,
  };
  const balanced = await startBalancedNodes(NODES, settings);
  const f = factories(balanced);
  const ada = await f.createAgent();
  const ben = await f.createAgent();
  const room = await f.createRoom(ada);
  await f.ok('POST', `/api/v1/rooms/${room}/join`, { key: ben.key });
  const thread = await f.createThread(ada, room);
  /** Calls as often as there are nodes: HAProxy gives each one of the calls. */
  const callEach = <T>(call: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: NODES }, call));

  it('[deploy.nodes] wake whoever waits on another node', async () => {
    for (let cursor = 0, round = 0; round < 2 * NODES; round++) {
      const waiting = f.ok('GET', `/api/v1/events?cursor=${cursor}&wait=30`, { key: ben.key });
      await sleep(150);
      await f.postMessage(ada, thread, `@${ben.handle} ${round}`);
      const page = await Promise.race([waiting, sleep(5_000).then(() => null)]);
      expect(page?.events).toHaveLength(1);
      cursor = page.nextCursor;
    }
  });

  it('[deploy.nodes] count limits together', async () => {
    const searcher = await f.createAgent();
    const answers = [];
    for (let nr = 0; nr < 2 * SEARCHES; nr++)
      answers.push((await f.send('GET', '/api/v1/search?q=word', { key: searcher.key })).status);
    const answered = answers.filter((status) => status === 200).length;
    expect(answered).toBeGreaterThanOrEqual(SEARCHES);
    // One more for each two seconds that it took.
    expect(answered).toBeLessThan(SEARCHES + 10);
    expect(new Set(answers)).toEqual(new Set([200, 429]));
  });

  it('[deploy.nodes] know at once who is blocked, and which key is revoked', async () => {
    const carl = await f.createAgent();
    const read = () => f.send('GET', '/api/v1/me', { key: carl.key });
    expect((await callEach(read)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const block = (blocked: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${carl.id}/block`, { admin: true, body: { blocked } });
    await block(true);
    expect((await callEach(read)).every(({ status }) => status >= 400)).toBe(true);
    await block(false);
    expect((await callEach(read)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await f.ok('DELETE', '/api/v1/me/keys/current', { key: carl.key });
    expect((await callEach(read)).map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('[deploy.nodes] show no page of before', async () => {
    const { id } = await f.postMessage(ada, thread, 'Soon taken back.');
    const read = async (): Promise<Json> => {
      const { messages } = await f.ok('GET', `/api/v1/threads/${thread}/messages?limit=100`);
      return messages.find((message: Json) => message.id === id);
    };
    expect((await callEach(read)).map(({ deleted }) => deleted)).toEqual([false, false, false]);
    await f.ok('DELETE', `/api/v1/messages/${id}`, { key: ada.key });
    expect((await callEach(read)).map(({ deleted }) => deleted)).toEqual([true, true, true]);
  });

  it('[deploy.nodes] have one session, which ends on all of them', async () => {
    const person = visitor(balanced);
    await person.signIn(ada.key);
    const { cookie } = person;
    expect(cookie).not.toBe('');
    const isSignedIn = async () => {
      person.cookie = cookie;
      return (await person.open('/session')).text.includes(ada.handle);
    };
    for (let nr = 0; nr < NODES; nr++) expect(await isSignedIn()).toBe(true);
    const token = await person.findToken('/session');
    await person.send('/session/end', { end: 'session', token: token ?? '' });
    for (let nr = 0; nr < NODES; nr++) expect(await isSignedIn()).toBe(false);
  });

  it('[deploy.nodes] do each piece of background work once', async () => {
    const { id } = await f.ok('POST', `/api/v1/threads/${thread}/messages`, {
      key: ada.key,
      body: { body: 'Who does this?', request: true },
    });
    await f.ok('POST', `/api/v1/messages/${id}/claim`, {
      key: ben.key,
      body: { leaseSeconds: LEASE_SECONDS },
    });
    const listLost = async () =>
      (await f.listEvents(ben)).events.filter(
        ({ kind, subject }: Json) => kind === 'claim_lost' && subject.id === id,
      );
    await waitUntil('the claim is lost', async () => (await listLost()).length > 0);
    await sleep(2_000);
    expect(await listLost()).toHaveLength(1);
  });

  it('[deploy.nodes] lose nothing when one of them is killed, stopped or ended', async () => {
    const createMember = async () => {
      const member = await f.createAgent();
      await f.ok('POST', `/api/v1/rooms/${room}/join`, { key: member.key });
      return member;
    };
    const authors = await Promise.all(Array.from({ length: 6 }, createMember));
    const own = await f.createThread(ada, room);
    let isOver = false;
    const acknowledged: string[] = [];
    const post = async (author: TestAgent) => {
      const headers = {
        'x-api-key': author.key,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      };
      const body = JSON.stringify({ body: 'Under load.', follow: false });
      for (let tries = 0; tries < 200; tries++) {
        const answer = await fetch(`${balanced.url}/api/v1/threads/${own}/messages`, {
          method: 'POST',
          headers,
          body,
          signal: AbortSignal.timeout(5_000),
        }).catch(() => null);
        if (answer?.status === 200) {
          acknowledged.push(((await answer.json()) as Json).id);
          return;
        }
        // Only what says "again" may come: nothing that a caller would have to think about.
        expect([undefined, 409, 429, 502, 503, 504]).toContain(answer?.status);
        await sleep(100);
      }
      throw new Error('A post had no answer.');
    };
    const posting = authors.map(async (author) => {
      while (!isOver) await post(author);
    });
    const [first, second, third] = balanced.nodes;
    await sleep(1_000);
    await first?.end('SIGKILL');
    await sleep(2_000);
    await balanced.restart(0);
    process.kill(second?.pid ?? 0, 'SIGSTOP');
    await sleep(4_000);
    process.kill(second?.pid ?? 0, 'SIGCONT');
    await sleep(1_000);
    expect(await third?.end('SIGTERM')).toBe(0);
    await balanced.restart(2);
    await sleep(1_000);
    isOver = true;
    await Promise.all(posting);
    const stored = await query(
      connection,
      `SELECT id, position FROM messages WHERE thread_id = '${own}' ORDER BY position`,
    );
    expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index));
    const [, ...posted] = stored.map(({ id }) => id);
    expect(posted.toSorted()).toEqual(acknowledged.toSorted());
    expect(acknowledged.length).toBeGreaterThan(20);
  });

  it('[deploy.nodes] write one log, which holds', async () => {
    const countWaiting = async () =>
      (await query(connection, 'SELECT count(*)::int AS count FROM portable_queue'))[0]?.count;
    await waitUntil('all acts are in the log', async () => (await countWaiting()) === 0);
    const verified = await runCommand(`verify-log --url ${balanced.url} --since none`);
    expect(verified).toMatchObject({ code: 0 });
    const doctor = await runCommand('doctor', settings);
    expect(doctor.out.split('\n').filter((line) => line.startsWith('WRONG'))).toEqual([]);
  });

  it('[deploy.nodes] are answered for, while none is ready, as a node would answer', async () => {
    for (const node of balanced.nodes) await node.end('SIGKILL');
    await waitUntil('HAProxy answers by itself', async () => {
      // A kept connection whose node has just ended may break.
      const answer = await fetch(`${balanced.url}/api/v1/rooms`).catch(() => null);
      const problem: Json = await answer?.json().catch(() => null);
      return problem?.code === 'unavailable' && answer?.headers.get('retry-after') === '2';
    });
  });
});
