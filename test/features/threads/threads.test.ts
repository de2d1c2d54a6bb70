import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const [owner, author, member, outsider] = [
  await f.agent(),
  await f.agent(),
  await f.agent(),
  await f.agent(),
];
const room = await f.room(owner);
for (const guest of [author, member]) await f.join(guest, room);

const create = (body: unknown) =>
  f.send('POST', `/api/v1/rooms/${room}/threads`, { key: author.key, body });
const read = (id: string, key?: string): Promise<Loose> =>
  f.ok('GET', `/api/v1/threads/${id}`, { key });
const summarise = (id: string, body: unknown, key = author.key) =>
  f.send('PUT', `/api/v1/threads/${id}/summary`, { key, body });
const now = () => new Date(app.clock()).toISOString();
const unknown = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** What a thread leaves in the database. */
const counts = () =>
  app.app.env.db.first(sql`SELECT (SELECT count(*) FROM threads) AS threads, (SELECT count(*) FROM messages) AS messages,
    (SELECT count(*) FROM subscriptions) AS subscriptions, (SELECT count(*) FROM portable_events) AS acts, (SELECT count(*) FROM idempotency_records) AS records`);

describe('starting a thread', () => {
  it('[thread.create] makes it and its first message in one act', async () => {
    app.clock.advance(1000);
    const { body: made } = await create({
      title: ' Which parser? ',
      body: ' Kept\r\n as sent. ',
      kind: 'question',
      tags: ['parser', 'v2-0'],
    });
    expect(Object.keys(made).sort()).toEqual([
      'createdAt',
      'id',
      'messageId',
      'receiptId',
      'roomId',
    ]);
    expect(made).toMatchObject({ roomId: room, createdAt: now(), receiptId: expect.any(String) });
    expect(await read(made.id)).toMatchObject({
      title: 'Which parser?',
      kind: 'question',
      tags: ['parser', 'v2-0'],
      messageCount: 1,
    });
    const { messages, total } = await f.ok('GET', `/api/v1/threads/${made.id}/messages`);
    expect(total).toBe(1);
    expect(messages).toMatchObject([
      {
        id: made.messageId,
        position: 0,
        authorId: author.id,
        body: ' Kept\r\n as sent. ',
        createdAt: now(),
      },
    ]);
    expect((await f.post(member, made.id, 'Second.')).position).toBe(1);
  });

  it.each(['public', 'private'] as const)('[thread.defaults] in a %s room', async (visibility) => {
    const id = await f.thread(owner, await f.room(owner, visibility));
    expect(await read(id, owner.key)).toMatchObject({ kind: 'discussion', tags: [], visibility });
    const explicit = await f.thread(owner, await f.room(owner, visibility), {
      kind: null,
      tags: null,
      visibility: null,
    });
    expect(await read(explicit, owner.key)).toMatchObject({
      kind: 'discussion',
      tags: [],
      visibility,
    });
  });

  const eight = Array.from({ length: 8 }, (_, n) => `tag-${n}`);
  it.each([
    ['a title of one', { title: 'x' }],
    ['a title of 200 code points', { title: '𝕏'.repeat(200) }],
    ['eight tags', { tags: eight }],
    ['tags of 1 and of 32', { tags: ['-', 'a'.repeat(32)] }],
    ['a collaboration', { kind: 'collaboration' }],
    ['a body of 65,536 bytes', { body: 'é'.repeat(32_768) }],
  ])('[thread.request-limits] takes %s', async (_, more) => {
    const answer = await create({ title: 'T', body: 'B', ...more });
    expect(answer.status).toBe(200);
    const { body, ...shown } = more as Loose;
    expect(await read(answer.body.id)).toMatchObject(shown);
    if (body)
      expect(
        (await f.ok('GET', `/api/v1/threads/${answer.body.id}/messages`)).messages[0].body,
      ).toBe(body);
  });

  it.each([
    ['no title', { title: undefined }, '/body/title'],
    ['a title of white space', { title: '  ' }, '/body/title'],
    ['a title of 201', { title: 'x'.repeat(201) }, '/body/title'],
    ['a title of two lines', { title: 'a\u2028b' }, '/body/title'],
    ['an unknown kind', { kind: 'poll' }, '/body/kind'],
    ['nine tags', { tags: [...eight, 'nine'] }, '/body/tags'],
    ['an empty tag', { tags: [''] }, '/body/tags/0'],
    ['a tag of 33', { tags: ['ok', 'a'.repeat(33)] }, '/body/tags/1'],
    ['a tag in capitals', { tags: ['Tag'] }, '/body/tags/0'],
    ['a tag with a line break at its end', { tags: ['tag\n'] }, '/body/tags/0'],
    ['no body', { body: undefined }, '/body/body'],
    ['an empty body', { body: '' }, '/body/body'],
    ['another visibility', { visibility: 'members' }, '/body/visibility'],
  ])('[thread.request-limits] refuses %s and leaves nothing', async (_, more, pointer) => {
    const before = await counts();
    const answer = await create({ title: 'T', body: 'B', ...more });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors).toContainEqual({ pointer, detail: expect.any(String) });
    expect(await counts()).toEqual(before);
  });

  it.each(['x'.repeat(65_537), `x${'é'.repeat(32_768)}`])(
    '[thread.request-limits] refuses a body of one byte too many',
    async (body) => {
      const before = await counts();
      const answer = await create({ title: 'T', body });
      expect([answer.status, answer.body.code, answer.body.limit]).toEqual([
        413,
        'payload_too_large',
        65_536,
      ]);
      expect(await counts()).toEqual(before);
    },
  );
});

describe('threads as their readers see them', () => {
  const fields =
    'id roomId title kind tags visibility authorId authorHandle messageCount createdAt lastMessageAt summary subscribed'
      .split(' ')
      .sort();

  it('[thread.row] has its fields, follows the posts, and knows who follows it', async () => {
    const id = await f.thread(author, room);
    const createdAt = now();
    app.clock.advance(5000);
    await f.post(member, id, 'Second.');
    const row = await read(id);
    expect(Object.keys(row).sort()).toEqual(fields);
    const facts = {
      id,
      roomId: room,
      authorId: author.id,
      authorHandle: author.handle,
      messageCount: 2,
      createdAt,
      lastMessageAt: now(),
      summary: null,
    };
    expect(row).toMatchObject({ ...facts, subscribed: null });
    await f.ok('PUT', `/api/v1/threads/${id}/subscription`, { key: outsider.key });
    for (const [key, subscribed] of [
      [undefined, null],
      [author.key, true],
      [member.key, false],
      [outsider.key, true],
    ] as const) {
      expect(await read(id, key)).toEqual({ ...row, subscribed });
      expect(await f.ok('GET', `/api/v1/threads?roomId=${room}&limit=1`, { key })).toEqual([
        { ...row, subscribed },
      ]);
    }
  });

  it('[thread.list] has the latest message first, in one room and in all', async () => {
    const [here, there] = [await f.room(owner), await f.room(owner)];
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) {
      // Two at a time start at the same moment.
      app.clock.advance(n % 2 ? 0 : 1000);
      ids.unshift(await f.thread(owner, n % 4 === 3 ? there : here));
    }
    const walk = async (query: string) =>
      (await f.walk(`/api/v1/threads?limit=2${query}`)).flat().map(({ id }: Loose) => id);
    const inHere = ids.filter((_, n) => n % 4 !== 0);
    expect(await walk(`&roomId=${here}`)).toEqual(inHere);
    expect((await walk('')).filter((id) => ids.includes(id))).toEqual(ids);

    app.clock.advance(1000);
    const oldest = inHere.at(-1) as string;
    await f.post(owner, oldest, 'Up again.');
    expect(await walk(`&roomId=${here}`)).toEqual([oldest, ...inHere.slice(0, -1)]);
    expect((await walk(''))[0]).toBe(oldest);
  });

  it('[thread.list] of a room that does not exist or is hidden is empty', async () => {
    const hidden = await f.room(owner, 'private');
    await f.thread(owner, hidden);
    for (const key of [undefined, outsider.key]) {
      for (const roomId of [unknown, hidden])
        expect(await f.ok('GET', `/api/v1/threads?roomId=${roomId}`, { key })).toEqual([]);
    }
    expect(await f.ok('GET', `/api/v1/threads?roomId=${hidden}`, { key: owner.key })).toHaveLength(
      1,
    );
    expect(await f.outcome('GET', '/api/v1/threads?roomId=none')).toBe('400 invalid_request');
  });
});

describe('the summary of a thread', () => {
  it('[summary.set] shows text, messages, who and when, and is replaced by the next one', async () => {
    const id = await f.thread(author, room);
    const { id: second } = await f.post(member, id, 'Second.');
    app.clock.advance(1000);
    const answer = await summarise(id, {
      summary: ' We take\nthe second. ',
      messageIds: [second.toUpperCase()],
    });
    expect(answer.body).toEqual({ id, createdAt: now() });
    expect((await read(id)).summary).toEqual({
      text: ' We take\nthe second. ',
      messageIds: [second],
      authorHandle: author.handle,
      updatedAt: now(),
    });
    app.clock.advance(1000);
    await summarise(id, { summary: '总'.repeat(4000) }, owner.key);
    expect((await read(id)).summary).toEqual({
      text: '总'.repeat(4000),
      messageIds: [],
      authorHandle: owner.handle,
      updatedAt: now(),
    });
    expect((await f.ok('GET', `/api/v1/threads?roomId=${room}&limit=1`))[0].summary.updatedAt).toBe(
      now(),
    );
  });

  it('[summary.set] takes fifty messages, in the order given', async () => {
    const id = await f.thread(author, room);
    const messageIds: string[] = [];
    for (let n = 0; n < 50; n++) messageIds.unshift((await f.post(author, id, `${n}`)).id);
    expect((await summarise(id, { summary: 'Done.', messageIds })).status).toBe(200);
    expect((await read(id)).summary.messageIds).toEqual(messageIds);
    const [first] = (await f.ok('GET', `/api/v1/threads/${id}/messages?limit=1`)).messages;
    expect(
      (await summarise(id, { summary: 'Done.', messageIds: [...messageIds, first.id] })).body.code,
    ).toBe('invalid_request');
  });

  it('[summary.set] refuses what does not fit, and keeps what was set', async () => {
    const [id, other] = [await f.thread(author, room), await f.thread(author, room)];
    const elsewhere = (await f.ok('GET', `/api/v1/threads/${other}/messages`)).messages[0].id;
    await summarise(id, { summary: 'Kept.' });
    for (const body of [
      {},
      { summary: '' },
      { summary: 'x'.repeat(4001) },
      {
        summary: 'Lost.',
        messageIds: Array.from(
          { length: 51 },
          (_, n) => `01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e${10 + n}`,
        ),
      },
      { summary: 'Lost.', messageIds: [elsewhere] },
      { summary: 'Lost.', messageIds: [unknown] },
      { summary: 'Lost.', messageIds: ['none'] },
    ]) {
      const answer = await summarise(id, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    }
    expect((await read(id)).summary.text).toBe('Kept.');
  });

  it.each(['public', 'private'] as const)(
    '[summary.who] author and owner, in a %s room',
    async (visibility) => {
      const place = await f.room(owner, visibility);
      for (const guest of [author, member]) await f.invite(owner, place, guest);
      const id = await f.thread(author, place);
      const outcome = async (key?: string) =>
        (
          await f.outcome('PUT', `/api/v1/threads/${id}/summary`, { key, body: { summary: 'S' } })
        ).split(' ')[1] ?? 'set';
      expect(await outcome(member.key)).toBe('forbidden');
      expect(await outcome(outsider.key)).toBe(visibility === 'public' ? 'forbidden' : 'not_found');
      expect(await outcome()).toBe('unauthenticated');
      expect((await read(id, owner.key)).summary).toBeNull();
      expect([await outcome(author.key), await outcome(owner.key)]).toEqual(['set', 'set']);
    },
  );
});
