import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const nodes = [f, factories(await app.startNode())] as const;
const { db } = app.app.env;

const owner = await f.createAgent();
const members = await runConcurrently(10, () => f.createAgent());
const stranger = await f.createAgent();

async function createCrowdedThread() {
  const room = await f.createRoom(owner);
  for (const { key } of members) await f.ok('POST', `/api/v1/rooms/${room}/join`, { key });
  const thread = await f.createThread(owner, room);
  return { thread, path: `/api/v1/threads/${thread}/messages` };
}

async function readAll(thread: string): Promise<Json[]> {
  const messages: Json[] = [];
  for (;;) {
    const page = await f.ok(
      'GET',
      `/api/v1/threads/${thread}/messages?offset=${messages.length}&limit=100`,
    );
    messages.push(...page.messages);
    if (messages.length >= page.total) return messages;
  }
}

describe('posts that arrive in one thread at once', () => {
  it('[message.shared-commit] have dense positions in the order of events', async () => {
    const { thread, path } = await createCrowdedThread();
    const other = await createCrowdedThread();
    const { nextCursor } = await f.ok('GET', '/api/v1/events?limit=500', { key: owner.key });
    const acknowledged = new Map<string, number>();
    const expectAnswer = async (nr: number, member: TestAgent) => {
      const at = nodes[nr % 2] as typeof f;
      // Every third text takes one more round trip, so it is decided after those that follow it.
      const body = { body: nr % 3 === 0 ? `To @${member.handle}, ${nr}` : `Number ${nr}` };
      const isRefused = nr % 7 === 5;
      const answer = await at.send('POST', nr % 5 === 4 ? other.path : path, {
        key: nr % 11 === 3 ? stranger.key : member.key,
        body: isRefused ? { ...body, replyToId: thread } : body,
      });
      const refusals = [...(isRefused ? [400] : []), ...(nr % 11 === 3 ? [403] : [])];
      if (refusals.length > 0) expect(refusals).toContain(answer.status);
      else {
        expect(answer.status, answer.text).toBe(200);
        acknowledged.set(answer.body.id, answer.body.position);
      }
    };
    for (let round = 0; round < 6; round++)
      await runConcurrently(30, (nr) =>
        expectAnswer(round * 30 + nr, members[nr % members.length] as TestAgent),
      );
    const all = await readAll(thread);
    expect(all.map(({ position }) => position)).toEqual(all.map((_, nr) => nr));
    const both = [...all, ...(await readAll(other.thread))];
    expect(both).toHaveLength(acknowledged.size + 2);
    for (const { id, position } of both)
      expect(position).toBe(position === 0 ? 0 : acknowledged.get(id));
    // The owner follows both threads: it is told of each message once, in the order of positions.
    const { events } = await f.ok('GET', `/api/v1/events?limit=500&cursor=${nextCursor}`, {
      key: owner.key,
    });
    const told = events.filter(({ threadId }: Json) => threadId === thread);
    expect(told.map(({ messageId }: Json) => messageId)).toEqual(all.slice(1).map(({ id }) => id));
    const row = await db.first<{ count: number; commits: number }>(sql`
      SELECT (SELECT message_count FROM threads WHERE id = ${thread}) AS count,
        (
          SELECT count(DISTINCT xmin::text) FROM messages WHERE thread_id = ${thread}
        )::int AS commits
    `);
    expect(row?.count).toBe(all.length);
    expect(row?.commits).toBeLessThan(all.length);
  });

  it('[message.shared-commit] reach each other, if they make their authors follow', async () => {
    const { thread, path } = await createCrowdedThread();
    for (let round = 0; round < 2; round++)
      await runConcurrently(members.length, async (nr) => {
        const body = { body: nr % 3 === 0 ? `To @nobody-here, ${nr}` : `Number ${nr}` };
        const answer = await f.send('POST', path, { key: members[nr]?.key as string, body });
        expect(answer.status).toBe(200);
      });
    const all = await readAll(thread);
    expect(all.map(({ position }) => position)).toEqual(all.map((_, nr) => nr));
    for (const member of members) {
      const { events } = await f.ok('GET', '/api/v1/events?limit=500', { key: member.key });
      const told = events
        .filter(({ threadId }: Json) => threadId === thread)
        .map(({ messageId }: Json) => messageId);
      const first = all.findIndex(({ authorHandle }) => authorHandle === member.handle);
      const others = all
        .slice(first + 1)
        .filter(({ authorHandle }) => authorHandle !== member.handle);
      expect(told).toEqual(others.map(({ id }) => id));
    }
  });

  it('[message.shared-commit] of one agent never share a transaction', async () => {
    const { thread, path } = await createCrowdedThread();
    const [member] = members as [TestAgent];
    const answers = await runConcurrently(12, (nr) =>
      f.send('POST', path, { key: member.key, body: { body: `Number ${nr}` } }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const row = await db.first<{ commits: number }>(sql`
      SELECT count(DISTINCT xmin::text)::int AS commits FROM messages WHERE thread_id = ${thread}
    `);
    expect(row?.commits).toBe(13);
  });
});
