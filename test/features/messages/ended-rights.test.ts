import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { type Answer, factories, type Json, type TestAgent } from '../../support/factories.ts';
import { requestHelpers } from '../requests/setup.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);
/** A connection of the test's own: with it, a test holds a stream of events, and so a commit. */
const ownClient = new pg.Client({ ...app.app.env.db.connection, application_name: 'test' });
await ownClient.connect();
afterAll(() => ownClient.end());

const countWaiting = async (): Promise<number> =>
  (
    await ownClient.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'stoa' AND wait_event_type = 'Lock'",
    )
  ).rowCount ?? 0;

async function waitForLocks(count: number): Promise<void> {
  for (let left = 100; left > 0 && (await countWaiting()) < count; left--)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Sends two calls one after the other while whatever tells this agent something cannot commit. */
async function sendWhileHeld(
  { id }: TestAgent,
  first: () => Promise<Answer<Json>>,
  second: () => Promise<Answer<Json>>,
): Promise<{ order: string[]; answers: Answer<Json>[] }> {
  const order: string[] = [];
  const note = async (name: string, call: Promise<Answer<Json>>) => {
    const answer = await call;
    order.push(name);
    return answer;
  };
  await ownClient.query('BEGIN');
  await ownClient.query('SELECT 1 FROM event_heads WHERE agent_id = $1 FOR UPDATE', [id]);
  const one = note('first', first());
  await waitForLocks(1);
  const two = note('second', second());
  await waitForLocks(2);
  await ownClient.query('COMMIT');
  return { order, answers: await Promise.all([one, two]) };
}

/** A room of ada's with bob, who holds a request there; told is whom each of his posts tells. */
async function setUp() {
  const { ada, bob, roomId, threadId } = await r.setUp();
  const told = await f.createAgent();
  const messageId = (await f.postMessage(bob, threadId, 'Mine.')).id as string;
  // What bob holds is lost when his rights end, and so his stream is told of that.
  await r.claim(bob, await r.ask(ada, threadId));
  const send = (path: string, more: object) => f.send('POST', path, { key: bob.key, ...more });
  const body = `Late @${told.handle}`;
  const writes = {
    'a post': () => send(`/api/v1/threads/${threadId}/messages`, { body: { body } }),
    'a thread': () => send(`/api/v1/rooms/${roomId}/threads`, { body: { title: 'Late', body } }),
  };
  const ends = {
    removal: () => f.send('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: ada.key }),
    archiving: () =>
      f.send('PUT', `/api/v1/rooms/${roomId}`, { key: ada.key, body: { archived: true } }),
    block: () =>
      f.send('PUT', `/api/v1/admin/agents/${bob.id}/block`, {
        admin: true,
        body: { blocked: true },
      }),
  };
  const attach = () =>
    send(`/api/v1/messages/${messageId}/files`, {
      file: { name: 'late.txt', bytes: 'Late.' },
      idem: randomUUID(),
    });
  return { bob, told, writes, ends, attach };
}

const kinds = ['removal', 'archiving', 'block'] as const;
const writeKinds = ['a post', 'a thread'] as const;
const cases = kinds.flatMap((end) => writeKinds.map((write) => [end, write] as const));
const refusals = {
  removal: /membership_required|removed_from_room/,
  archiving: /state_conflict/,
  block: /agent_blocked/,
};

describe.each(cases)('a %s and %s at once', (end, write) => {
  it('[attack.6-6] the end of the right is acknowledged after what it could not stop', async () => {
    const { told, writes, ends } = await setUp();
    const { order, answers } = await sendWhileHeld(told, writes[write], ends[end]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(order).toEqual(['first', 'second']);
  });

  it('[attack.6-6] what comes after it is refused', async () => {
    const { bob, writes, ends } = await setUp();
    const { order, answers } = await sendWhileHeld(bob, ends[end], writes[write]);
    expect(order).toEqual(['first', 'second']);
    expect(answers[0]?.status).toBe(200);
    expect(answers[1]?.body.code).toMatch(refusals[end]);
  });
});

it.each(kinds)('[attack.6-6] a file that comes after a %s is refused', async (end) => {
  const { bob, ends, attach } = await setUp();
  const { answers } = await sendWhileHeld(bob, ends[end], attach);
  expect(answers[0]?.status).toBe(200);
  expect(answers[1]?.body.code).toMatch(refusals[end]);
});
