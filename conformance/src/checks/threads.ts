import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectHeader,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
  expectUuidV7,
} from '../support/expectations.ts';
import {
  attachFile,
  createRoom,
  getRoom,
  postMessage,
  startThread,
  startThreadIn,
} from '../support/rooms.ts';

const THREAD =
  'id roomId title kind tags visibility authorId authorHandle messageCount createdAt ' +
  'lastMessageAt summary subscribed';
const LISTED =
  'In a private room, `public` lists the thread (its ThreadRow without the summary) to anyone ' +
  'and nothing else';
const words = (text: string): string[] => text.split(' ');

/** Ways to read the content of a thread. */
const listContentPaths = (id: string, messageId: string): Readonly<Record<string, string>> => ({
  messages: `/api/v1/threads/${id}/messages`,
  message: `/api/v1/messages/${messageId}`,
  markdown: `/threads/${id}.md`,
});

export const threads = buildArea('threads', 'core 6', [
  check('row', 'ThreadRow | `id`, `roomId`, `title` (1..200), `kind`, `tags`, …', async (w) => {
    const { id, roomId, owner } = await startThread(w, 'public', { tags: ['kit'] });
    const answer = await w.get(`/api/v1/threads/${id}`);
    const thread = expectOk(answer);
    expectMembers(thread, words(THREAD), answer);
    const { kind, tags, visibility, authorHandle, messageCount, summary, subscribed } = thread;
    expectEqual(
      { kind, tags, visibility, authorHandle, messageCount, summary, subscribed },
      {
        kind: 'discussion',
        tags: ['kit'],
        visibility: 'public',
        authorHandle: owner.handle,
        messageCount: 1,
        summary: null,
        subscribed: null,
      },
      'the thread',
      answer,
    );
    expectEqual(thread.roomId, roomId, 'roomId', answer);
  }),
  check(
    'created',
    'ThreadCreated | `id`, `messageId`, `roomId`, `createdAt`, `receiptId`, …',
    async (w) => {
      const { id, owner } = await getRoom(w, 'public');
      const body = { title: 'T', body: 'x' };
      const answer = await w.post(`/api/v1/rooms/${id}/threads`, body, { as: owner });
      const made = expectOk(answer);
      const names = 'id messageId roomId createdAt receiptId notified notifiedCount';
      expectMembers(made, [...words(names), 'unresolvedMentions'], answer);
      for (const name of ['id', 'messageId', 'receiptId']) expectUuidV7(made[name], name, answer);
    },
  ),
  check('first-message', '`body` (the first message)', async (w) => {
    const { id, messageId } = await startThread(w, 'public', { body: 'First.' });
    const { messages } = await w.read(`/api/v1/threads/${id}/messages`);
    const [{ id: first, position, body }] = messages;
    expectEqual([first, position, body], [messageId, 0, 'First.'], 'the first message');
  }),
  check('default-visibility', "`visibility` (default: the room's)", async (w) => {
    const { id, member } = await startThread(w, 'private');
    const thread = await w.read(`/api/v1/threads/${id}`, { as: member });
    expectEqual(thread.visibility, 'private', 'visibility');
  }),
  check('hidden', '`private` hides it wholly.', async (w) => {
    const room = await createRoom(w, 'private');
    const { id } = await startThreadIn(w, room);
    expectProblem(await w.get(`/api/v1/threads/${id}`), 404, 'not_found');
    expectEqual(await w.read(`/api/v1/threads?roomId=${room.id}`), [], 'the list for anybody');
  }),
  check('listed', LISTED, async (w) => {
    const { id, owner } = await startThread(w, 'private', { visibility: 'public' });
    const body = { summary: 'Known to members.' };
    expectOk(await w.put(`/api/v1/threads/${id}/summary`, body, { as: owner }));
    const answer = await w.get(`/api/v1/threads/${id}`);
    expectEqual(expectOk(answer).summary, null, 'the summary for anybody', answer);
  }),
  ...['messages', 'message', 'markdown'].map((name) =>
    check(
      `listed-${name}`,
      'content read by an outsider or a stranger is `forbidden`',
      async (w) => {
        const { id, messageId, owner } = await startThread(w, 'private', { visibility: 'public' });
        const path = listContentPaths(id, messageId)[name] ?? '';
        const stranger = await getAgent(w, 'stranger');
        for (const as of [undefined, stranger]) {
          const answer = await w.get(path, as ? { as } : {});
          expectThat(!answer.text.includes('The first message.'), 'expected no content', answer);
          expectEqual(answer.status, 403, 'the status', answer);
        }
        expectEqual((await w.get(path, { as: owner })).status, 200, 'the status for a member');
      },
    ),
  ),
  check('listed-receipt', 'its receipts are private', async (w) => {
    const { receiptId } = await startThread(w, 'private', { visibility: 'public' });
    expectProblem(await w.get(`/e/${receiptId}.json`), 404, 'not_found');
  }),
  check('members-only', 'In a public room, `private` means members only.', async (w) => {
    const { id, member } = await startThread(w, 'public', { visibility: 'private' });
    expectProblem(await w.get(`/api/v1/threads/${id}`), 404, 'not_found');
    expectProblem(await w.get(`/threads/${id}.md`), 404, 'not_found');
    expectOk(await w.get(`/api/v1/threads/${id}/messages`, { as: member }));
  }),
  check(
    'unknown-room',
    'an unknown or hidden room gives an empty list, never an error',
    async (w) => {
      const hidden = await createRoom(w, 'private');
      await startThreadIn(w, hidden);
      for (const id of [hidden.id, '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'])
        expectEqual(await w.read(`/api/v1/threads?roomId=${id}`), [], 'the list');
    },
  ),
  check('order', 'Order: `lastMessageAt`, newest first.', async (w) => {
    const room = await createRoom(w, 'public');
    const one = await startThreadIn(w, room);
    const two = await startThreadIn(w, room);
    await postMessage(w, one.id, room.owner, 'Later.');
    const rows: Json[] = await w.read(`/api/v1/threads?roomId=${room.id}`);
    expectEqual(
      rows.map(({ id }) => id),
      [one.id, two.id],
      'the order',
    );
  }),
  ...[
    ['tag', 'tag=kit-a'],
    ['kind', 'kind=question'],
    ['unanswered', 'unanswered=true'],
  ].map(([name = '', query = '']) =>
    check(
      `filter-${name}`,
      '`GET /threads?roomId=&tag=&kind=&author=&subscribed=&unanswered=`',
      async (w) => {
        const room = await createRoom(w, 'public');
        const wanted = await startThreadIn(w, room, { tags: ['kit-a'], kind: 'question' });
        const other = await startThreadIn(w, room, { tags: ['kit-b'] });
        await postMessage(w, other.id, room.member, 'An answer.');
        const rows: Json[] = await w.read(`/api/v1/threads?roomId=${room.id}&${query}`);
        expectEqual(
          rows.map(({ id }) => id),
          [wanted.id],
          'the threads',
        );
      },
    ),
  ),
  check('filter-author', 'handles in any case', async (w) => {
    const room = await createRoom(w, 'public');
    await startThreadIn(w, room);
    const wanted = await startThreadIn(w, room, {}, room.member);
    const author = room.member.handle.toUpperCase();
    const rows: Json[] = await w.read(`/api/v1/threads?roomId=${room.id}&author=${author}`);
    expectEqual(
      rows.map(({ id }) => id),
      [wanted.id],
      'the threads',
    );
  }),
  check(
    'summary',
    'summary` (`text`, `messageIds`, `authorHandle`, `updatedAt`; or null)',
    async (w) => {
      const { id, messageId, owner } = await startThread(w);
      const body = { summary: 'Decided.', messageIds: [messageId] };
      expectOk(await w.put(`/api/v1/threads/${id}/summary`, body, { as: owner }));
      const { summary } = await w.read(`/api/v1/threads/${id}`);
      expectMembers(summary, ['text', 'messageIds', 'authorHandle', 'updatedAt']);
      const { text, messageIds, authorHandle } = summary;
      expectEqual(
        { text, messageIds, authorHandle },
        { text: 'Decided.', messageIds: [messageId], authorHandle: owner.handle },
        'the summary',
      );
    },
  ),
  check(
    'summary-others',
    'summary of a thread | its author, owner',
    async (w) => {
      const { id, member } = await startThread(w);
      const answer = await w.put(`/api/v1/threads/${id}/summary`, { summary: 'x' }, { as: member });
      expectProblem(answer, 403, 'forbidden');
    },
    { source: 'core 5' },
  ),
  check(
    'subscription',
    'Threads can be … subscribed to',
    async (w) => {
      const { id } = await startThread(w);
      const as = await getAgent(w, 'stranger');
      const isSubscribed = async () => (await w.read(`/api/v1/threads/${id}`, { as })).subscribed;
      expectOk(await w.put(`/api/v1/threads/${id}/subscription`, undefined, { as }));
      expectEqual(await isSubscribed(), true, 'subscribed');
      expectOk(await w.delete(`/api/v1/threads/${id}/subscription`, { as }));
      expectEqual(await isSubscribed(), false, 'subscribed');
    },
    { source: 'spec: What the service does 7' },
  ),
  check(
    'markdown',
    'returns a thread as Markdown',
    async (w) => {
      const { id, owner } = await startThread(w, 'public', { title: 'Kit as Markdown' });
      await postMessage(w, id, owner, 'A body in it.');
      const answer = await w.get(`/threads/${id}.md`);
      expectEqual(answer.status, 200, 'the status', answer);
      expectHeader(answer, 'content-type', /^text\/markdown/);
      for (const part of ['Kit as Markdown', 'The first message.', 'A body in it.', owner.handle])
        expectThat(answer.text.includes(part), `expected "${part}" in it`, answer);
    },
    { source: 'spec: Endpoints' },
  ),
  check(
    'markdown-accept',
    '**Markdown** by `Accept: text/markdown` for threads',
    async (w) => {
      const { id } = await startThread(w);
      const answer = await w.get(`/api/v1/threads/${id}`, { headers: { accept: 'text/markdown' } });
      expectEqual(answer.status, 200, 'the status', answer);
      expectHeader(answer, 'content-type', /^text\/markdown/);
    },
    { source: 'core 14' },
  ),
  check(
    'page',
    'Pages (server-rendered, no script needed',
    async (w) => {
      const { id } = await startThread(w);
      const answer = await w.get(`/threads/${id}`, { headers: { accept: 'text/html' } });
      expectEqual(answer.status, 200, 'the status', answer);
      expectHeader(answer, 'content-type', /^text\/html/);
      expectThat(answer.text.includes('The first message.'), 'expected the message', answer);
    },
    { source: 'core 11' },
  ),
  check('file-in-thread', '`files` (FileRow[])', async (w) => {
    const { id, messageId, owner } = await startThread(w);
    const file = await attachFile(w, messageId, owner);
    const { messages } = await w.read(`/api/v1/threads/${id}/messages`);
    expectEqual(messages[0].files, [file], 'files');
  }),
]);
