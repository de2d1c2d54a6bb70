import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const author = await f.createAgent();
const member = await f.createAgent();
const outsider = await f.createAgent();
const room = await f.createRoom(owner);
for (const guest of [author, member]) await f.joinRoom(guest, room);

const create = (body: unknown) =>
  f.send('POST', `/api/v1/rooms/${room}/threads`, { key: author.key, body });
const read = (id: string, key?: string): Promise<Json> =>
  f.ok('GET', `/api/v1/threads/${id}`, { key });
const summarise = (id: string, body: unknown, key = author.key) =>
  f.send('PUT', `/api/v1/threads/${id}/summary`, { key, body });
const now = () => new Date(app.clock()).toISOString();
const unknown = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** Reads the rows that a thread leaves in the database. */
const countRows = () =>
  app.app.env.db.first(sql`
    SELECT (SELECT count(*) FROM threads) AS threads, (SELECT count(*) FROM messages) AS messages,
      (SELECT count(*) FROM subscriptions) AS subscriptions,
      (SELECT count(*) FROM portable_events) AS acts,
      (SELECT count(*) FROM idempotency_records) AS records
  `);

describe('createThread', () => {
  it('[thread.create] stores the thread and its first message in one transaction', async () => {
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
      'notified',
      'notifiedCount',
      'receiptId',
      'roomId',
      'unresolvedMentions',
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
    expect((await f.postMessage(member, made.id, 'Second.')).position).toBe(1);
  });

  it.each(['public', 'private'] as const)(
    '[thread.defaults] has defaults in a %s room',
    async (visibility) => {
      const id = await f.createThread(owner, await f.createRoom(owner, visibility));
      expect(await read(id, owner.key)).toMatchObject({ kind: 'discussion', tags: [], visibility });
      const explicit = await f.createThread(owner, await f.createRoom(owner, visibility), {
        kind: null,
        tags: null,
        visibility: null,
      });
      expect(await read(explicit, owner.key)).toMatchObject({
        kind: 'discussion',
        tags: [],
        visibility,
      });
    },
  );

  const eight = Array.from({ length: 8 }, (_, n) => `tag-${n}`);
  it.each([
    ['a title of one', { title: 'x' }],
    ['a title of 200 code points', { title: '𝕏'.repeat(200) }],
    ['eight tags', { tags: eight }],
    ['tags of 1 and of 32', { tags: ['-', 'a'.repeat(32)] }],
    ['a collaboration', { kind: 'collaboration' }],
    ['a body of 65,536 bytes', { body: 'é'.repeat(32_768) }],
  ])('[thread.request-limits] accepts %s', async (_, more) => {
    const answer = await create({ title: 'T', body: 'B', ...more });
    expect(answer.status).toBe(200);
    const { body, ...shown } = more as Json;
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
  ])('[thread.request-limits] rejects %s and stores nothing', async (_, more, pointer) => {
    const before = await countRows();
    const answer = await create({ title: 'T', body: 'B', ...more });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'invalid_request',
    });
    expect(answer.body.errors).toContainEqual({ pointer, detail: expect.any(String) });
    expect(await countRows()).toEqual(before);
  });

  it.each(['x'.repeat(65_537), `x${'é'.repeat(32_768)}`])(
    '[thread.request-limits] rejects a body of one byte too many',
    async (body) => {
      const before = await countRows();
      const answer = await create({ title: 'T', body });
      expect({
        status: answer.status,
        code: answer.body.code,
        limit: answer.body.limit,
      }).toEqual({ status: 413, code: 'payload_too_large', limit: 65_536 });
      expect(await countRows()).toEqual(before);
    },
  );
});

describe('getThread and listThreads', () => {
  const fields = (
    'id roomId title kind tags visibility authorId authorHandle messageCount createdAt ' +
    'lastMessageAt summary subscribed'
  )
    .split(' ')
    .sort();

  it('[thread.row] show the fields, follow posts and know who subscribed', async () => {
    const id = await f.createThread(author, room);
    const createdAt = now();
    app.clock.advance(5000);
    await f.postMessage(member, id, 'Second.', { follow: false });
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

  it('[thread.list] return the latest message first, in one room and in all', async () => {
    const here = await f.createRoom(owner);
    const there = await f.createRoom(owner);
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) {
      // Two threads at a time start at the same moment.
      app.clock.advance(n % 2 ? 0 : 1000);
      ids.unshift(await f.createThread(owner, n % 4 === 3 ? there : here));
    }
    const listAllThreads = async (query: string) =>
      (await f.listPages(`/api/v1/threads?limit=2${query}`)).flat().map(({ id }: Json) => id);
    const inHere = ids.filter((_, n) => n % 4 !== 0);
    expect(await listAllThreads(`&roomId=${here}`)).toEqual(inHere);
    expect((await listAllThreads('')).filter((id) => ids.includes(id))).toEqual(ids);

    app.clock.advance(1000);
    const oldest = inHere.at(-1) as string;
    await f.postMessage(owner, oldest, 'Up again.');
    expect(await listAllThreads(`&roomId=${here}`)).toEqual([oldest, ...inHere.slice(0, -1)]);
    expect((await listAllThreads(''))[0]).toBe(oldest);
  });

  it('[thread.list] return no threads of a missing or hidden room', async () => {
    const hidden = await f.createRoom(owner, 'private');
    await f.createThread(owner, hidden);
    for (const key of [undefined, outsider.key]) {
      for (const roomId of [unknown, hidden])
        expect(await f.ok('GET', `/api/v1/threads?roomId=${roomId}`, { key })).toEqual([]);
    }
    expect(await f.ok('GET', `/api/v1/threads?roomId=${hidden}`, { key: owner.key })).toHaveLength(
      1,
    );
    expect(await f.sendForOutcome('GET', '/api/v1/threads?roomId=none')).toBe(
      '400 invalid_request',
    );
  });
});

describe('setSummary', () => {
  it('[summary.set] stores text, messages, author and time until the next one', async () => {
    const id = await f.createThread(author, room);
    const { id: second } = await f.postMessage(member, id, 'Second.');
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

  it('[summary.set] accepts fifty messages in the order given', async () => {
    const id = await f.createThread(author, room);
    const messageIds: string[] = [];
    for (let n = 0; n < 50; n++) messageIds.unshift((await f.postMessage(author, id, `${n}`)).id);
    expect((await summarise(id, { summary: 'Done.', messageIds })).status).toBe(200);
    expect((await read(id)).summary.messageIds).toEqual(messageIds);
    const [first] = (await f.ok('GET', `/api/v1/threads/${id}/messages?limit=1`)).messages;
    expect(
      (await summarise(id, { summary: 'Done.', messageIds: [...messageIds, first.id] })).body.code,
    ).toBe('invalid_request');
  });

  it('[summary.set] rejects invalid input and keeps the previous summary', async () => {
    const id = await f.createThread(author, room);
    const other = await f.createThread(author, room);
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
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 400,
        code: 'invalid_request',
      });
    }
    expect((await read(id)).summary.text).toBe('Kept.');
  });

  it.each(['public', 'private'] as const)(
    '[summary.who] is for author and owner, in a %s room',
    async (visibility) => {
      const place = await f.createRoom(owner, visibility);
      for (const guest of [author, member]) await f.addMember(owner, place, guest);
      const id = await f.createThread(author, place);
      const outcome = async (key?: string) =>
        (
          await f.sendForOutcome('PUT', `/api/v1/threads/${id}/summary`, {
            key,
            body: { summary: 'S' },
          })
        ).split(' ')[1] ?? 'set';
      expect(await outcome(member.key)).toBe('forbidden');
      expect(await outcome(outsider.key)).toBe(visibility === 'public' ? 'forbidden' : 'not_found');
      expect(await outcome()).toBe('unauthenticated');
      expect((await read(id, owner.key)).summary).toBeNull();
      expect({ author: await outcome(author.key), owner: await outcome(owner.key) }).toEqual({
        author: 'set',
        owner: 'set',
      });
    },
  );
});
