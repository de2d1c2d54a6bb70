import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, together } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const [owner, member, outsider] = [await f.agent(), await f.agent(), await f.agent()];
const room = await f.room(owner);
await f.join(member, room);

const eventsIn = async (who: TestAgent, thread: string): Promise<Loose[]> =>
  (await f.events(who)).events.filter(({ threadId }: Loose) => threadId === thread);
const last = async (thread: string): Promise<Loose> =>
  (
    await f.ok('GET', `/api/v1/threads/${thread}/messages?limit=100`, { key: owner.key })
  ).messages.at(-1);

describe('a mention', () => {
  it('[mention.resolved] stands in the message and tells its agent once, however often it is named', async () => {
    const thread = await f.thread(owner, room);
    const body = `@${outsider.handle.toUpperCase()}, @${outsider.handle} and @${member.handle}. @nobody-here. @${outsider.handle}!`;
    const ack = await f.post(owner, thread, body);
    expect(ack.notified).toHaveLength(2);
    expect(ack.notified).toEqual(
      expect.arrayContaining(
        [outsider, member].map(({ handle }) => ({ handle, reason: 'mention' })),
      ),
    );
    expect(ack).toMatchObject({ notifiedCount: 2, unresolvedMentions: ['nobody-here'] });
    expect((await last(thread)).mentions).toEqual([outsider.handle, member.handle]);
    for (const who of [outsider, member])
      expect(await eventsIn(who, thread)).toMatchObject([
        { kind: 'mention', reasons: ['mention'], messageId: ack.id },
      ]);
  });

  it('[mention.resolved] in the first message of a thread', async () => {
    const thread = await f.thread(owner, room, {
      body: `For @${outsider.handle} and @nobody-here.`,
    });
    expect((await last(thread)).mentions).toEqual([outsider.handle]);
    expect(await eventsIn(outsider, thread)).toMatchObject([
      { kind: 'mention', position: 0, actorId: owner.id },
    ]);
  });

  it('[mention.resolved] counts up to fifty of a message', async () => {
    const thread = await f.thread(owner, room);
    const many = await together(52, () => f.agent());
    const ack = await f.post(owner, thread, many.map(({ handle }) => `@${handle}`).join(' '));
    expect([ack.notified.length, ack.notifiedCount, ack.unresolvedMentions]).toEqual([50, 50, []]);
    expect((await last(thread)).mentions).toEqual(many.slice(0, 50).map(({ handle }) => handle));
    const told = await Promise.all(many.map(async (who) => (await eventsIn(who, thread)).length));
    expect(told).toEqual([...Array(50).fill(1), 0, 0]);
  });

  it('[mention.code] [mention.neighbours] addresses in prose and not in code', async () => {
    const thread = await f.thread(owner, room);
    const inCode = await f.post(
      owner,
      thread,
      `Run \`ping @${outsider.handle}\`:\n\n\`\`\`\n@${outsider.handle}\n\`\`\`\n\n    @${outsider.handle}\n`,
    );
    expect(inCode).toMatchObject({ notified: [], notifiedCount: 0, unresolvedMentions: [] });
    expect((await last(thread)).mentions).toEqual([]);
    const inProse = await f.post(owner, thread, `你好@${outsider.handle}，请看。`);
    expect(inProse.notified).toEqual([{ handle: outsider.handle, reason: 'mention' }]);
    expect((await eventsIn(outsider, thread)).map(({ messageId }) => messageId)).toEqual([
      inProse.id,
    ]);
  });

  it('[mention.resolved] of a handle that emphasis would cut in two', async () => {
    const odd = await f.agent('odd-_b_-c');
    const thread = await f.thread(owner, room);
    expect((await f.post(owner, thread, `*Hello* @${odd.handle}`)).notified).toEqual([
      { handle: odd.handle, reason: 'mention' },
    ]);
  });
});

describe('a mention of an agent that may not read', () => {
  it.each([
    ['public', 'private'],
    ['private', 'private'],
    ['private', 'public'],
  ] as const)(
    '[mention.no-leak] in a %s room, in a %s thread',
    async (roomVisibility, visibility) => {
      const place = await f.room(owner, roomVisibility);
      const removed = await f.agent();
      for (const guest of [member, removed]) await f.invite(owner, place, guest);
      await f.ok('DELETE', `/api/v1/rooms/${place}/members/${removed.id}`, { key: owner.key });
      const body = `@${outsider.handle} @${removed.handle} @${member.handle}`;
      const thread = await f.thread(owner, place, { visibility, body });
      const ack = await f.post(owner, thread, body);
      expect(ack).toMatchObject({
        notified: [{ handle: member.handle, reason: 'mention' }],
        notifiedCount: 1,
        unresolvedMentions: [outsider.handle, removed.handle],
      });
      expect(await eventsIn(member, thread)).toHaveLength(2);
      const heads = async () =>
        Promise.all([outsider, removed].map(async (who) => (await f.events(who)).nextCursor));
      const before = await heads();
      await f.post(owner, thread, body);
      expect(await heads()).toEqual(before);
      for (const who of [outsider, removed]) {
        expect(await eventsIn(who, thread)).toEqual([]);
        // Nor does an event wait for the day on which they may.
        await f.invite(owner, place, who);
        expect(await eventsIn(who, thread)).toEqual([]);
      }
    },
  );

  it('[mention.no-leak] nor as the author of the message that is answered, once removed', async () => {
    const place = await f.room(owner, 'private');
    const gone = await f.agent();
    await f.invite(owner, place, gone);
    const thread = await f.thread(owner, place);
    const asked = await f.post(gone, thread, 'A question.');
    await f.ok('DELETE', `/api/v1/rooms/${place}/members/${gone.id}`, { key: owner.key });
    const ack = await f.post(owner, thread, `@${gone.handle}, an answer.`, { replyToId: asked.id });
    expect(ack).toMatchObject({
      notified: [],
      notifiedCount: 0,
      unresolvedMentions: [gone.handle],
    });
    expect((await f.events(gone)).events.map(({ kind }: Loose) => kind)).toEqual([
      'member_removed',
    ]);
  });
});
