import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const room = await f.createRoom(owner);
const unknown = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const getPage = (thread: string, query = '', key?: string): Promise<Json> =>
  f.ok('GET', `/api/v1/threads/${thread}/messages?${query}`, { key });
const listPositions = ({ messages }: Json): number[] =>
  messages.map(({ position }: Json) => position);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/** Creates a thread of this many messages, "0" to "n - 1". */
async function createThreadWithMessages(count: number) {
  const thread = await f.createThread(owner, room, { body: '0' });
  for (let n = 1; n < count; n++) await f.postMessage(owner, thread, `${n}`);
  return thread;
}
const twelve = await createThreadWithMessages(12);

describe('listMessages', () => {
  it('[message.page] is oldest first, and nextOffset visits every message once', async () => {
    const thread = await createThreadWithMessages(23);
    for (const [limit, pages] of [
      [1, 23],
      [7, 4],
      [22, 2],
      [23, 1],
      [100, 1],
    ] as const) {
      const seen: string[] = [];
      let offset: number | null = 0;
      let count: number = 0;
      while (offset !== null && count < 50) {
        const answer = await getPage(thread, `offset=${offset}&limit=${limit}`);
        expect(Object.keys(answer).sort()).toEqual([
          'messages',
          'nextOffset',
          'offset',
          'threadId',
          'total',
        ]);
        expect(answer).toMatchObject({ threadId: thread, offset, total: 23 });
        seen.push(...answer.messages.map(({ body }: Json) => body));
        offset = answer.nextOffset;
        count++;
      }
      expect({ seen, count }).toEqual({ seen: range(0, 23).map(String), count: pages });
    }
  });

  it.each([
    ['', 0, range(0, 12), null],
    ['limit=5', 0, range(0, 5), 5],
    ['offset=5&limit=5', 5, range(5, 10), 10],
    ['offset=7&limit=5', 7, range(7, 12), null],
    ['offset=11&limit=1', 11, [11], null],
    ['offset=10&limit=5', 10, [10, 11], null],
    ['offset=12', 12, [], null],
    ['offset=13&limit=1', 13, [], null],
    ['offset=2147483647&limit=100', 2_147_483_647, [], null],
  ])('[message.page] "%s" of twelve starts at %d', async (query, offset, shown, nextOffset) => {
    const answer = await getPage(twelve, query);
    expect({
      offset: answer.offset,
      positions: listPositions(answer),
      nextOffset: answer.nextOffset,
      total: answer.total,
    }).toEqual({ offset, positions: shown, nextOffset, total: 12 });
  });

  it.each([
    'offset=-1',
    'offset=1.5',
    'offset=x',
    'offset=2147483648',
    'limit=0',
    'limit=101',
    'anchorId=none',
    'page=2',
  ])('[message.page] rejects %s', async (query) => {
    expect(await f.sendForOutcome('GET', `/api/v1/threads/${twelve}/messages?${query}`)).toBe(
      '400 invalid_request',
    );
  });

  it('[message.page] has fifty messages by default and continues as posts arrive', async () => {
    const thread = await createThreadWithMessages(50);
    expect(await getPage(thread)).toMatchObject({ total: 50, nextOffset: null });
    await f.postMessage(owner, thread, '50');
    const first = await getPage(thread);
    const second = await getPage(thread, 'offset=50');
    expect({
      firstPositions: listPositions(first),
      firstNext: first.nextOffset,
      secondPositions: listPositions(second),
      secondNext: second.nextOffset,
    }).toEqual({
      firstPositions: range(0, 50),
      firstNext: 50,
      secondPositions: [50],
      secondNext: null,
    });
  });

  it.each([
    [6, 5, 4, range(4, 9)],
    [6, 4, 4, range(4, 8)],
    [6, 1, 6, [6]],
    [0, 5, 0, range(0, 5)],
    [1, 5, 0, range(0, 5)],
    [2, 5, 0, range(0, 5)],
    [11, 5, 9, [9, 10, 11]],
    [11, 1, 11, [11]],
    [6, 50, 0, range(0, 12)],
  ])(
    '[message.page-anchor] anchored on message %d with limit %d starts at %d',
    async (anchor, limit, offset, shown) => {
      const { messages } = await getPage(twelve);
      for (const more of ['', '&offset=3', '&offset=2000']) {
        const answer = await getPage(
          twelve,
          `anchorId=${messages[anchor].id}&limit=${limit}${more}`,
        );
        expect({ offset: answer.offset, positions: listPositions(answer) }).toEqual({
          offset,
          positions: shown,
        });
        const end = offset + shown.length;
        expect(answer.nextOffset).toBe(end < 12 ? end : null);
      }
    },
  );

  it('[message.page-anchor] needs an anchor in this thread', async () => {
    const elsewhere = (await getPage(await createThreadWithMessages(1))).messages[0].id;
    for (const anchorId of [elsewhere, unknown, twelve]) {
      const answer = await f.send('GET', `/api/v1/threads/${twelve}/messages?anchorId=${anchorId}`);
      expect({
        status: answer.status,
        code: answer.body.code,
        pointer: answer.body.errors[0].pointer,
      }).toEqual({ status: 400, code: 'invalid_request', pointer: '/query/anchorId' });
    }
  });
});

describe('a cached page of listMessages', () => {
  const deleteMessage = async (thread: string, position: number) => {
    const { messages } = await getPage(thread, `offset=${position}&limit=1`);
    await f.ok('DELETE', `/api/v1/admin/messages/${messages[0].id}`, { admin: true });
  };

  it('[message.page] shows new totals after a post, and the same messages', async () => {
    const thread = await createThreadWithMessages(10);
    const before = await getPage(thread, 'limit=5');
    expect(await getPage(thread, 'limit=5')).toEqual(before);
    await f.postMessage(owner, thread, '10');
    expect(await getPage(thread, 'limit=5')).toEqual({ ...before, total: 11 });
    expect(await getPage(thread, 'offset=5&limit=5')).toMatchObject({ total: 11, nextOffset: 10 });
  });

  it('[message.page] shows a tombstone in its place, on every page that has it', async () => {
    const thread = await createThreadWithMessages(12);
    const read = () =>
      Promise.all(
        ['limit=6', 'offset=2&limit=6', 'limit=100', 'offset=6&limit=6'].map((query) =>
          getPage(thread, query),
        ),
      );
    const before = await read();
    expect(await read()).toEqual(before);
    await deleteMessage(thread, 4);
    const asDeleted = (message: Json) =>
      message.position === 4
        ? { ...message, body: '', deleted: true, deletedBy: 'administrator' }
        : message;
    expect(await read()).toEqual(
      before.map(({ messages, ...rest }) => ({ ...rest, messages: messages.map(asDeleted) })),
    );
    expect((await f.postMessage(owner, thread, '12')).position).toBe(12);
    await deleteMessage(thread, 3);
    expect((await read())[0].messages.map(({ deleted }: Json) => deleted)).toEqual([
      false,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('[message.page] is never used for another thread', async () => {
    const threads = [await createThreadWithMessages(4), await createThreadWithMessages(4)];
    for (const thread of [...threads, ...threads]) {
      const { threadId, messages } = await getPage(thread, 'limit=4');
      expect(new Set([threadId, ...messages.map((message: Json) => message.threadId)])).toEqual(
        new Set([thread]),
      );
    }
  });

  it('[message.page] is the same for every reader except for its cache headers', async () => {
    const thread = await createThreadWithMessages(4);
    const mine = await f.send('GET', `/api/v1/threads/${thread}/messages?limit=4`, {
      key: owner.key,
    });
    const anyones = await f.send('GET', `/api/v1/threads/${thread}/messages?limit=4`);
    expect(anyones.text).toBe(mine.text);
    expect(mine.headers.get('cache-control')).toBe('private, no-store');
    expect(anyones.headers.get('x-content-trust')).toBe('untrusted');
  });

  it('[message.page] stays complete while others post', async () => {
    const thread = await createThreadWithMessages(1);
    const posting = (async () => {
      for (let n = 1; n <= 60; n++) await f.postMessage(owner, thread, `${n}`);
    })();
    let total = 0;
    while (total < 61) {
      for (const offset of [0, 10, 55]) {
        const answer = await getPage(thread, `offset=${offset}&limit=10`);
        total = answer.total;
        expect(listPositions(answer)).toEqual(
          range(offset, Math.max(offset, Math.min(offset + 10, total))),
        );
        expect(answer.messages.every(({ body, position }: Json) => body === `${position}`)).toBe(
          true,
        );
      }
    }
    await posting;
  });
});
