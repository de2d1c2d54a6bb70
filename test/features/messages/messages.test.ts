import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, together } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const [owner, author, member] = [await f.agent(), await f.agent(), await f.agent()];
const room = await f.room(owner);
for (const guest of [author, member]) await f.join(guest, room);
const board = await f.thread(owner, room);

const send = (thread: string, body: unknown) =>
  f.send('POST', `/api/v1/threads/${thread}/messages`, { key: author.key, body });
const messagesOf = async (thread: string, query = ''): Promise<Loose[]> =>
  (await f.ok('GET', `/api/v1/threads/${thread}/messages?limit=100${query}`)).messages;
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const unknown = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

describe('posting', () => {
  it('[message.post] acknowledges with its eight members', async () => {
    const thread = await f.thread(owner, room);
    app.clock.advance(1000);
    const { body: ack } = await send(thread, { body: 'Hello.' });
    expect(ack).toEqual({
      id: expect.any(String),
      createdAt: new Date(app.clock()).toISOString(),
      position: 1,
      receiptId: expect.any(String),
      bodySha256: sha256('Hello.'),
      notified: [{ handle: owner.handle, reason: 'subscription' }],
      notifiedCount: 1,
      unresolvedMentions: [],
    });
  });

  it('[message.shape] comes back with its twelve fields, empty ones included', async () => {
    const thread = await f.thread(owner, room);
    const { body: ack } = await send(thread, { body: 'Hello.', replyToId: null });
    const facts = {
      threadId: thread,
      position: 1,
      authorId: author.id,
      authorHandle: author.handle,
      body: 'Hello.',
    };
    const empty = { replyToId: null, mentions: [], files: [], deleted: false };
    expect((await messagesOf(thread))[1]).toEqual({
      id: ack.id,
      ...facts,
      ...empty,
      createdAt: ack.createdAt,
      receiptId: ack.receiptId,
    });
  });

  it('[message.reply] links to a message of the thread, whoever wrote it', async () => {
    const thread = await f.thread(owner, room);
    const asked = await f.post(author, thread, 'A question.');
    const answered = await f.post(author, thread, 'An answer.', {
      replyToId: asked.id.toUpperCase(),
    });
    await f.post(member, thread, 'Thanks.', { replyToId: answered.id });
    expect((await messagesOf(thread)).map(({ replyToId }) => replyToId)).toEqual([
      null,
      null,
      asked.id,
      answered.id,
    ]);
  });

  it('[message.reply] refuses anything else and posts nothing', async () => {
    const [thread, other] = [await f.thread(owner, room), await f.thread(owner, room)];
    const [elsewhere] = await messagesOf(other);
    for (const replyToId of [elsewhere.id, unknown, thread, 'none', '']) {
      const answer = await send(thread, { body: 'B', replyToId });
      expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([
        400,
        'invalid_request',
        '/body/replyToId',
      ]);
    }
    expect(await messagesOf(thread)).toHaveLength(1);
  });
});

describe('a body', () => {
  /** Posts and reads back; the bytes must be the same. */
  async function keeps(body: string): Promise<void> {
    const ack = await f.post(author, board, body);
    const [kept] = await messagesOf(board, `&offset=${ack.position}`);
    expect(Buffer.from(kept.body).equals(Buffer.from(body))).toBe(true);
    expect(ack.bodySha256).toBe(sha256(body));
  }

  it.each([
    ['white space alone', ' \t\r\n '],
    ['line ends of every kind', '\na\r\nb\rc\n\u2028d\u2029e\u0085'],
    [
      'control characters',
      `${String.fromCharCode(...Array.from({ length: 31 }, (_, n) => n + 1))}\u007f\u0080\u009f`,
    ],
    ['a byte order mark', '\ufeffa\ufeff'],
    ['one letter in NFC and in NFD', 'é e\u0301 \u212b Å'],
    ['bidi controls', '\u202ea\u202c \u2066b\u2069 \u200f'],
    ['invisible ones', 'a\u200b\u200d\u00ad\u2060b\u{e0001}'],
    ['an emoji of many code points', '👩‍👩‍👧‍👦🏳️‍🌈👍🏽'],
    ['noncharacters and private use', '\ufffe\uffff\u{1ffff}\u{10ffff}\ue000\ufffd'],
    ['quotes, escapes and JSON', '"\\" \\u0000 \\n {"a":1} </script> %00 $1 \'; DROP'],
    ['combining marks without a letter', `\u0300\u0301${'\u0336'.repeat(500)}`],
  ])('[message.byte-exact] keeps %s', (_, body) => keeps(body));

  it('[message.byte-exact] keeps any text, however its JSON was written', async () => {
    const escaped = (text: string) =>
      text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: 'binary', minLength: 1, maxLength: 300 })
          .filter((text) => !text.includes('\0')),
        async (body) => {
          await keeps(body);
          const headers = { 'content-type': 'application/json' };
          const raw = await f.send('POST', `/api/v1/threads/${board}/messages`, {
            key: author.key,
            raw: `{"body":"${escaped(body)}"}`,
            headers,
          });
          expect([raw.status, raw.body.bodySha256]).toEqual([200, sha256(body)]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ['one byte each', 'x'.repeat(65_536)],
    ['two', 'é'.repeat(32_768)],
    ['three, and one', `${'文'.repeat(21_845)}x`],
    ['four', '😀'.repeat(16_384)],
    ['line ends', '\r\n'.repeat(32_768)],
    ['controls, which JSON writes with six', '\u0001'.repeat(65_536)],
    ['words of one letter', 'a '.repeat(32_768)],
  ])('[message.size] takes 65,536 bytes of %s and refuses one more', async (_, body) => {
    await keeps(body);
    const total = async () => (await f.ok('GET', `/api/v1/threads/${board}`)).messageCount;
    const before = await total();
    const answer = await send(board, { body: `${body}y` });
    expect([answer.status, answer.body.code, answer.body.limit]).toEqual([
      413,
      'payload_too_large',
      65_536,
    ]);
    expect(await total()).toBe(before);
  });

  it.each([{ body: '' }, { body: null }, {}, { body: 7 }, { body: 'a\0b' }, { body: '\ud800' }])(
    '[message.size] refuses %j',
    async (body) => {
      const answer = await send(board, body);
      expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([
        400,
        'invalid_request',
        '/body/body',
      ]);
    },
  );
});

describe('whom a post reaches', () => {
  it('[message.notified] names each with the first reason, and the handles that reached nobody', async () => {
    const thread = await f.thread(owner, room);
    const asked = await f.post(member, thread, 'A question.');
    const named = await f.agent();
    const body = `@${named.handle} @${member.handle} @${author.handle} @nobody-1 \`@nobody-2\` @all`;
    const ack = await f.post(author, thread, body, { replyToId: asked.id });
    expect(ack.notified).toHaveLength(3);
    expect(ack.notified).toEqual(
      expect.arrayContaining([
        { handle: owner.handle, reason: 'subscription' },
        { handle: member.handle, reason: 'reply' },
        { handle: named.handle, reason: 'mention' },
      ]),
    );
    expect(ack).toMatchObject({ notifiedCount: 3, unresolvedMentions: ['nobody-1', 'all'] });
  });

  it('[message.notified] names at most fifty and counts all, each of whom has the event', async () => {
    const thread = await f.thread(owner, room);
    const many = await together(56, () => f.agent());
    for (const { key } of many)
      await f.ok('PUT', `/api/v1/threads/${thread}/subscription`, { key });
    const ack = await f.post(author, thread, `@${many[0]?.handle}`);
    expect([ack.notified.length, ack.notifiedCount]).toEqual([50, 57]);
    const handles = ack.notified.map(({ handle }: Loose) => handle);
    expect(new Set(handles).size).toBe(50);
    expect([owner, ...many].map(({ handle }) => handle)).toEqual(expect.arrayContaining(handles));
    for (const agent of [owner, ...many])
      expect((await f.events(agent)).events.at(-1).messageId).toBe(ack.id);
  });
});

describe('positions', () => {
  it('[message.dense] under thirty simultaneous posters and refused posts', async () => {
    const thread = await f.thread(owner, room);
    const writers = await together(30, () => f.agent());
    for (const writer of writers) await f.join(writer, room);
    const refusals = [
      { body: '' },
      { body: 'x'.repeat(65_537) },
      { body: 'B', replyToId: unknown },
    ];

    const acks = await Promise.all(
      writers.flatMap((writer, n) => [
        ...[1, 2, 3].map((round) =>
          f.post(writer, thread, `${writer.handle} ${round} @${writers[(n + 1) % 30]?.handle}`),
        ),
        f.outcome('POST', `/api/v1/threads/${thread}/messages`, {
          key: writer.key,
          body: refusals[n % 3],
        }),
      ]),
    );
    const posted = acks.filter((ack) => typeof ack !== 'string');
    expect(acks.filter((ack) => typeof ack === 'string').sort()).toEqual([
      ...Array(20).fill('400 invalid_request'),
      ...Array(10).fill('413 payload_too_large'),
    ]);
    expect(posted.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 90 }, (_, n) => n + 1),
    );

    const kept = await messagesOf(thread);
    expect(kept.map(({ position }) => position)).toEqual(Array.from({ length: 91 }, (_, n) => n));
    for (const { id, position } of posted) expect(kept[position].id).toBe(id);
    for (const { position, bodySha256 } of posted)
      expect(sha256(kept[position].body)).toBe(bodySha256);
    expect(await f.ok('GET', `/api/v1/threads/${thread}`)).toMatchObject({ messageCount: 91 });
  });

  it('[message.dense] in several threads at once, whose writers address each other', async () => {
    const threads = await together(4, () => f.thread(owner, room));
    const acks = await together(80, (n) =>
      f.post(
        n % 2 ? author : member,
        threads[n % 4] as string,
        `@${owner.handle} @${author.handle} @${member.handle}`,
      ),
    );
    for (const [n, thread] of threads.entries()) {
      const positions = acks.filter((_, i) => i % 4 === n).map(({ position }) => position);
      expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect((await messagesOf(thread)).map(({ position }) => position)).toEqual(
        Array.from({ length: 21 }, (_, i) => i),
      );
    }
  });
});
