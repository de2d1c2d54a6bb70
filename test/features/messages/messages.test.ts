import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, runFewAtOnce } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const author = await f.createAgent();
const member = await f.createAgent();
const room = await f.createRoom(owner);
for (const guest of [author, member]) await f.joinRoom(guest, room);
const board = await f.createThread(owner, room);

const send = (thread: string, body: unknown) =>
  f.send('POST', `/api/v1/threads/${thread}/messages`, { key: author.key, body });
const listMessages = async (thread: string, query = ''): Promise<Json[]> =>
  (await f.ok('GET', `/api/v1/threads/${thread}/messages?limit=100${query}`)).messages;
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const unknown = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

describe('postMessage', () => {
  it('[message.post] acknowledges with its eight members', async () => {
    const thread = await f.createThread(owner, room);
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

  it('[message.shape] stores fourteen fields, empty ones included', async () => {
    const thread = await f.createThread(owner, room);
    const { body: ack } = await send(thread, { body: 'Hello.', replyToId: null });
    const facts = {
      threadId: thread,
      position: 1,
      authorId: author.id,
      authorHandle: author.handle,
      body: 'Hello.',
    };
    const empty = {
      replyToId: null,
      mentions: [],
      files: [],
      deleted: false,
      deletedBy: null,
      request: null,
    };
    expect((await listMessages(thread))[1]).toEqual({
      id: ack.id,
      ...facts,
      ...empty,
      createdAt: ack.createdAt,
      receiptId: ack.receiptId,
    });
  });

  it('[message.reply] accepts a reply to any message of the thread', async () => {
    const thread = await f.createThread(owner, room);
    const asked = await f.postMessage(author, thread, 'A question.');
    const answered = await f.postMessage(author, thread, 'An answer.', {
      replyToId: asked.id.toUpperCase(),
    });
    await f.postMessage(member, thread, 'Thanks.', { replyToId: answered.id });
    expect((await listMessages(thread)).map(({ replyToId }) => replyToId)).toEqual([
      null,
      null,
      asked.id,
      answered.id,
    ]);
  });

  it('[message.reply] rejects other replies and posts nothing', async () => {
    const thread = await f.createThread(owner, room);
    const other = await f.createThread(owner, room);
    const [elsewhere] = await listMessages(other);
    for (const replyToId of [elsewhere.id, unknown, thread, 'none', '']) {
      const answer = await send(thread, { body: 'B', replyToId });
      expect({
        status: answer.status,
        code: answer.body.code,
        pointer: answer.body.errors[0].pointer,
      }).toEqual({ status: 400, code: 'invalid_request', pointer: '/body/replyToId' });
    }
    expect(await listMessages(thread)).toHaveLength(1);
  });
});

describe('the body of postMessage', () => {
  /** Posts and reads back, and the bytes must be the same. */
  async function expectKept(body: string): Promise<void> {
    const ack = await f.postMessage(author, board, body);
    const [kept] = await listMessages(board, `&offset=${ack.position}`);
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
  ])('[message.byte-exact] is stored byte for byte: %s', (_, body) => expectKept(body));

  it('[message.byte-exact] is stored byte for byte, however its JSON was written', async () => {
    const escapeUnicode = (text: string) =>
      text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: 'binary', minLength: 1, maxLength: 300 })
          .filter((text) => !text.includes('\0')),
        async (body) => {
          await expectKept(body);
          const headers = { 'content-type': 'application/json' };
          const raw = await f.send('POST', `/api/v1/threads/${board}/messages`, {
            key: author.key,
            raw: `{"body":"${escapeUnicode(body)}"}`,
            headers,
          });
          expect({ status: raw.status, bodySha256: raw.body.bodySha256 }).toEqual({
            status: 200,
            bodySha256: sha256(body),
          });
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
  ])('[message.size] has at most 65,536 bytes of %s', async (_, body) => {
    await expectKept(body);
    const getMessageCount = async () =>
      (await f.ok('GET', `/api/v1/threads/${board}`)).messageCount;
    const before = await getMessageCount();
    const answer = await send(board, { body: `${body}y` });
    expect({
      status: answer.status,
      code: answer.body.code,
      limit: answer.body.limit,
    }).toEqual({ status: 413, code: 'payload_too_large', limit: 65_536 });
    expect(await getMessageCount()).toBe(before);
  });

  it.each([{ body: '' }, { body: null }, {}, { body: 7 }, { body: 'a\0b' }, { body: '\ud800' }])(
    '[message.size] is rejected: %j',
    async (body) => {
      const answer = await send(board, body);
      expect({
        status: answer.status,
        code: answer.body.code,
        pointer: answer.body.errors[0].pointer,
      }).toEqual({ status: 400, code: 'invalid_request', pointer: '/body/body' });
    },
  );
});

describe('notifications of postMessage', () => {
  it('[message.notified] name each agent with its first reason, and unknown handles', async () => {
    const thread = await f.createThread(owner, room);
    const asked = await f.postMessage(member, thread, 'A question.');
    const named = await f.createAgent();
    const handles = [named, member, author].map(({ handle }) => `@${handle}`).join(' ');
    const body = `${handles} @nobody-1 \`@nobody-2\` @all`;
    const ack = await f.postMessage(author, thread, body, { replyToId: asked.id });
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

  it('[message.notified] name at most fifty and count all', async () => {
    const thread = await f.createThread(owner, room);
    const many = await f.createAgents(56);
    for (const { key } of many)
      await f.ok('PUT', `/api/v1/threads/${thread}/subscription`, { key });
    const ack = await f.postMessage(author, thread, `@${many[0]?.handle}`);
    expect({ length: ack.notified.length, notifiedCount: ack.notifiedCount }).toEqual({
      length: 50,
      notifiedCount: 57,
    });
    const handles = ack.notified.map(({ handle }: Json) => handle);
    expect(new Set(handles).size).toBe(50);
    expect([owner, ...many].map(({ handle }) => handle)).toEqual(expect.arrayContaining(handles));
    for (const agent of [owner, ...many])
      expect((await f.listEvents(agent)).events.at(-1).messageId).toBe(ack.id);
  });
});

describe('positions of messages', () => {
  it('[message.dense] are dense under thirty concurrent posters and refused posts', async () => {
    const thread = await f.createThread(owner, room);
    const writers = await f.createAgents(30);
    for (const writer of writers) await f.joinRoom(writer, room);
    const refusals = [
      { body: '' },
      { body: 'x'.repeat(65_537) },
      { body: 'B', replyToId: unknown },
    ];

    const acks = await Promise.all(
      writers.flatMap((writer, n) => [
        ...[1, 2, 3].map((round) =>
          f.postMessage(
            writer,
            thread,
            `${writer.handle} ${round} @${writers[(n + 1) % 30]?.handle}`,
          ),
        ),
        f.sendForOutcome('POST', `/api/v1/threads/${thread}/messages`, {
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

    const kept = await listMessages(thread);
    expect(kept.map(({ position }) => position)).toEqual(Array.from({ length: 91 }, (_, n) => n));
    for (const { id, position } of posted) expect(kept[position].id).toBe(id);
    for (const { position, bodySha256 } of posted)
      expect(sha256(kept[position].body)).toBe(bodySha256);
    expect(await f.ok('GET', `/api/v1/threads/${thread}`)).toMatchObject({ messageCount: 91 });
  });

  it('[message.dense] are dense in several threads whose writers address each other', async () => {
    const threads = await runConcurrently(4, () => f.createThread(owner, room));
    const acks = await runFewAtOnce(80, (n) =>
      f.postMessage(
        n % 2 ? author : member,
        threads[n % 4] as string,
        `@${owner.handle} @${author.handle} @${member.handle}`,
      ),
    );
    for (const [n, thread] of threads.entries()) {
      const positions = acks.filter((_, i) => i % 4 === n).map(({ position }) => position);
      expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect((await listMessages(thread)).map(({ position }) => position)).toEqual(
        Array.from({ length: 21 }, (_, i) => i),
      );
    }
  });
});
