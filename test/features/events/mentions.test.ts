import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const member = await f.createAgent();
const outsider = await f.createAgent();
const room = await f.createRoom(owner);
await f.joinRoom(member, room);

const listEventsIn = async (who: TestAgent, thread: string): Promise<Json[]> =>
  (await f.listEvents(who)).events.filter(({ threadId }: Json) => threadId === thread);
const getLastMessage = async (thread: string): Promise<Json> =>
  (
    await f.ok('GET', `/api/v1/threads/${thread}/messages?limit=100`, { key: owner.key })
  ).messages.at(-1);

describe('mentions', () => {
  it('[mention.resolved] resolve in the answer and notify their agent once', async () => {
    const thread = await f.createThread(owner, room);
    const body =
      `@${outsider.handle.toUpperCase()}, @${outsider.handle} and @${member.handle}. ` +
      `@nobody-here. @${outsider.handle}!`;
    const ack = await f.postMessage(owner, thread, body);
    expect(ack.notified).toHaveLength(2);
    expect(ack.notified).toEqual(
      expect.arrayContaining(
        [outsider, member].map(({ handle }) => ({ handle, reason: 'mention' })),
      ),
    );
    expect(ack).toMatchObject({ notifiedCount: 2, unresolvedMentions: ['nobody-here'] });
    expect((await getLastMessage(thread)).mentions).toEqual([outsider.handle, member.handle]);
    for (const who of [outsider, member])
      expect(await listEventsIn(who, thread)).toMatchObject([
        { kind: 'mention', reasons: ['mention'], messageId: ack.id },
      ]);
  });

  it('[mention.resolved] resolve in the first message of a thread', async () => {
    const thread = await f.createThread(owner, room, {
      body: `For @${outsider.handle} and @nobody-here.`,
    });
    expect((await getLastMessage(thread)).mentions).toEqual([outsider.handle]);
    expect(await listEventsIn(outsider, thread)).toMatchObject([
      { kind: 'mention', position: 0, actorId: owner.id },
    ]);
  });

  it('[mention.resolved] resolve up to fifty in a message', async () => {
    const thread = await f.createThread(owner, room);
    const many = await f.createAgents(52);
    const ack = await f.postMessage(
      owner,
      thread,
      many.map(({ handle }) => `@${handle}`).join(' '),
    );
    expect({
      length: ack.notified.length,
      notifiedCount: ack.notifiedCount,
      unresolvedMentions: ack.unresolvedMentions,
    }).toEqual({ length: 50, notifiedCount: 50, unresolvedMentions: [] });
    expect((await getLastMessage(thread)).mentions).toEqual(
      many.slice(0, 50).map(({ handle }) => handle),
    );
    const told = await Promise.all(
      many.map(async (who) => (await listEventsIn(who, thread)).length),
    );
    expect(told).toEqual([...Array(50).fill(1), 0, 0]);
  });

  it('[mention.code] [mention.neighbours] work in prose and not in code', async () => {
    const thread = await f.createThread(owner, room);
    const inCode = await f.postMessage(
      owner,
      thread,
      `Run \`ping @${outsider.handle}\`:\n\n\`\`\`\n@${outsider.handle}\n\`\`\`\n\n    ` +
        `@${outsider.handle}\n`,
    );
    expect(inCode).toMatchObject({ notified: [], notifiedCount: 0, unresolvedMentions: [] });
    expect((await getLastMessage(thread)).mentions).toEqual([]);
    const inProse = await f.postMessage(owner, thread, `你好@${outsider.handle}，请看。`);
    expect(inProse.notified).toEqual([{ handle: outsider.handle, reason: 'mention' }]);
    expect((await listEventsIn(outsider, thread)).map(({ messageId }) => messageId)).toEqual([
      inProse.id,
    ]);
  });

  it('[mention.addresses] postMessage notifies nobody named in an address', async () => {
    const thread = await f.createThread(owner, room);
    for (const body of [
      `See https://social.example/@${outsider.handle}/1.`,
      `See http://a.example/?by=@${outsider.handle}.`,
      `<https://social.example/@${outsider.handle}>`,
      `[their page](https://social.example/@${outsider.handle})`,
      `[their page](/agents/@${outsider.handle})`,
      `Write to someone@${outsider.handle} or to x.y+z@${outsider.handle}.example.`,
    ]) {
      const ack = await f.postMessage(owner, thread, body);
      expect({ body, notified: ack.notified, unresolved: ack.unresolvedMentions }).toEqual({
        body,
        notified: [],
        unresolved: [],
      });
    }
    const comment = await f.postMessage(owner, thread, `<!-- @${outsider.handle} -->`);
    expect(comment.notified).toEqual([{ handle: outsider.handle, reason: 'mention' }]);
    expect((await listEventsIn(outsider, thread)).map(({ messageId }) => messageId)).toEqual([
      comment.id,
    ]);
  });

  it('[mention.resolved] resolve when Markdown emphasis would split the handle', async () => {
    const odd = await f.createAgent('odd-_b_-c');
    const thread = await f.createThread(owner, room);
    expect((await f.postMessage(owner, thread, `*Hello* @${odd.handle}`)).notified).toEqual([
      { handle: odd.handle, reason: 'mention' },
    ]);
  });
});

describe('mentions of agents that may not read', () => {
  it.each([
    ['public', 'private'],
    ['private', 'private'],
    ['private', 'public'],
  ] as const)(
    '[mention.no-leak] do not resolve in a %s room, in a %s thread',
    async (roomVisibility, visibility) => {
      const place = await f.createRoom(owner, roomVisibility);
      const removed = await f.createAgent();
      for (const guest of [member, removed]) await f.addMember(owner, place, guest);
      await f.ok('DELETE', `/api/v1/rooms/${place}/members/${removed.id}`, { key: owner.key });
      const body = `@${outsider.handle} @${removed.handle} @${member.handle}`;
      const thread = await f.createThread(owner, place, { visibility, body });
      const ack = await f.postMessage(owner, thread, body);
      expect(ack).toMatchObject({
        notified: [{ handle: member.handle, reason: 'mention' }],
        notifiedCount: 1,
        unresolvedMentions: [outsider.handle, removed.handle],
      });
      expect(await listEventsIn(member, thread)).toHaveLength(2);
      const listHeads = async () =>
        Promise.all([outsider, removed].map(async (who) => (await f.listEvents(who)).nextCursor));
      const before = await listHeads();
      await f.postMessage(owner, thread, body);
      expect(await listHeads()).toEqual(before);
      for (const who of [outsider, removed]) {
        expect(await listEventsIn(who, thread)).toEqual([]);
        // No event waits for the day on which they may read it either.
        await f.addMember(owner, place, who);
        expect(await listEventsIn(who, thread)).toEqual([]);
      }
    },
  );

  it('[mention.no-leak] do not notify the removed author of the answered message', async () => {
    const place = await f.createRoom(owner, 'private');
    const gone = await f.createAgent();
    await f.addMember(owner, place, gone);
    const thread = await f.createThread(owner, place);
    const asked = await f.postMessage(gone, thread, 'A question.');
    await f.ok('DELETE', `/api/v1/rooms/${place}/members/${gone.id}`, { key: owner.key });
    const ack = await f.postMessage(owner, thread, `@${gone.handle}, an answer.`, {
      replyToId: asked.id,
    });
    expect(ack).toMatchObject({
      notified: [],
      notifiedCount: 0,
      unresolvedMentions: [gone.handle],
    });
    expect((await f.listEvents(gone)).events.map(({ kind }: Json) => kind)).toEqual([
      'member_removed',
    ]);
  });
});
