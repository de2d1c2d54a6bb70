import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.agent();
const room = await f.room(owner);
const unknown = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const page = (thread: string, query = '', key?: string): Promise<Loose> =>
  f.ok('GET', `/api/v1/threads/${thread}/messages?${query}`, { key });
const positions = ({ messages }: Loose): number[] =>
  messages.map(({ position }: Loose) => position);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/** A thread of this many messages, "0" to "n - 1". */
async function threadOf(count: number) {
  const thread = await f.thread(owner, room, { body: '0' });
  for (let n = 1; n < count; n++) await f.post(owner, thread, `${n}`);
  return thread;
}
const twelve = await threadOf(12);

describe('a page of messages', () => {
  it('[message.page] is oldest first; following nextOffset visits every message once', async () => {
    const thread = await threadOf(23);
    for (const [limit, pages] of [
      [1, 23],
      [7, 4],
      [22, 2],
      [23, 1],
      [100, 1],
    ] as const) {
      const seen: string[] = [];
      let [offset, count]: [number | null, number] = [0, 0];
      while (offset !== null && count < 50) {
        const answer = await page(thread, `offset=${offset}&limit=${limit}`);
        expect(Object.keys(answer).sort()).toEqual([
          'messages',
          'nextOffset',
          'offset',
          'threadId',
          'total',
        ]);
        expect(answer).toMatchObject({ threadId: thread, offset, total: 23 });
        seen.push(...answer.messages.map(({ body }: Loose) => body));
        offset = answer.nextOffset;
        count++;
      }
      expect([seen, count]).toEqual([range(0, 23).map(String), pages]);
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
    const answer = await page(twelve, query);
    expect([answer.offset, positions(answer), answer.nextOffset, answer.total]).toEqual([
      offset,
      shown,
      nextOffset,
      12,
    ]);
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
  ])('[message.page] refuses %s', async (query) => {
    expect(await f.outcome('GET', `/api/v1/threads/${twelve}/messages?${query}`)).toBe(
      '400 invalid_request',
    );
  });

  it('[message.page] has fifty messages without a limit, and goes on as posts arrive', async () => {
    const thread = await threadOf(50);
    expect(await page(thread)).toMatchObject({ total: 50, nextOffset: null });
    await f.post(owner, thread, '50');
    const [first, second] = [await page(thread), await page(thread, 'offset=50')];
    expect([positions(first), first.nextOffset, positions(second), second.nextOffset]).toEqual([
      range(0, 50),
      50,
      [50],
      null,
    ]);
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
    '[message.page-anchor] on message %d with limit %d starts at %d, whatever the offset says',
    async (anchor, limit, offset, shown) => {
      const { messages } = await page(twelve);
      for (const more of ['', '&offset=3', '&offset=2000']) {
        const answer = await page(twelve, `anchorId=${messages[anchor].id}&limit=${limit}${more}`);
        expect([answer.offset, positions(answer)]).toEqual([offset, shown]);
        const end = offset + shown.length;
        expect(answer.nextOffset).toBe(end < 12 ? end : null);
      }
    },
  );

  it('[message.page-anchor] must be a message of this thread', async () => {
    const elsewhere = (await page(await threadOf(1))).messages[0].id;
    for (const anchorId of [elsewhere, unknown, twelve]) {
      const answer = await f.send('GET', `/api/v1/threads/${twelve}/messages?anchorId=${anchorId}`);
      expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([
        400,
        'invalid_request',
        '/query/anchorId',
      ]);
    }
  });
});

describe('a page that was read before', () => {
  const bury = async (thread: string, position: number) => {
    const { messages } = await page(thread, `offset=${position}&limit=1`);
    await f.ok('DELETE', `/api/v1/admin/messages/${messages[0].id}`, { admin: true });
  };

  it('[message.page] shows new totals after a post, and the same messages', async () => {
    const thread = await threadOf(10);
    const before = await page(thread, 'limit=5');
    expect(await page(thread, 'limit=5')).toEqual(before);
    await f.post(owner, thread, '10');
    expect(await page(thread, 'limit=5')).toEqual({ ...before, total: 11 });
    expect(await page(thread, 'offset=5&limit=5')).toMatchObject({ total: 11, nextOffset: 10 });
  });

  it('[message.page] shows a tombstone in its place, on every page that has it', async () => {
    const thread = await threadOf(12);
    const read = () =>
      Promise.all(
        ['limit=6', 'offset=2&limit=6', 'limit=100', 'offset=6&limit=6'].map((query) =>
          page(thread, query),
        ),
      );
    const before = await read();
    expect(await read()).toEqual(before);
    await bury(thread, 4);
    const buried = (message: Loose) =>
      message.position === 4 ? { ...message, body: '', deleted: true } : message;
    expect(await read()).toEqual(
      before.map(({ messages, ...rest }) => ({ ...rest, messages: messages.map(buried) })),
    );
    expect((await f.post(owner, thread, '12')).position).toBe(12);
    await bury(thread, 3);
    expect((await read())[0].messages.map(({ deleted }: Loose) => deleted)).toEqual([
      false,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('[message.page] of one thread is never that of another', async () => {
    const threads = [await threadOf(4), await threadOf(4)];
    for (const thread of [...threads, ...threads]) {
      const { threadId, messages } = await page(thread, 'limit=4');
      expect(new Set([threadId, ...messages.map((message: Loose) => message.threadId)])).toEqual(
        new Set([thread]),
      );
    }
  });

  it('[message.page] is the same for every reader but for who may cache it', async () => {
    const thread = await threadOf(4);
    const [mine, anyones] = [
      await f.send('GET', `/api/v1/threads/${thread}/messages?limit=4`, { key: owner.key }),
      await f.send('GET', `/api/v1/threads/${thread}/messages?limit=4`),
    ];
    expect(anyones.text).toBe(mine.text);
    expect(mine.headers.get('cache-control')).toBe('private, no-store');
    expect(anyones.headers.get('x-content-trust')).toBe('untrusted');
  });

  it('[message.page] stays whole while others post', async () => {
    const thread = await threadOf(1);
    const posting = (async () => {
      for (let n = 1; n <= 60; n++) await f.post(owner, thread, `${n}`);
    })();
    let total = 0;
    while (total < 61) {
      for (const offset of [0, 10, 55]) {
        const answer = await page(thread, `offset=${offset}&limit=10`);
        total = answer.total;
        expect(positions(answer)).toEqual(
          range(offset, Math.max(offset, Math.min(offset + 10, total))),
        );
        expect(answer.messages.every(({ body, position }: Loose) => body === `${position}`)).toBe(
          true,
        );
      }
    }
    await posting;
  });
});
