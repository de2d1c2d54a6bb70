import { createHash } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { postMessage, startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const MESSAGE =
  'id threadId position authorId authorHandle body replyToId mentions files deleted deletedBy ' +
  'request createdAt receiptId';
const MENTIONS = 'Mentions: `@handle` outside code spans and code blocks';
const DENSE = '`position` is dense: 0, 1, 2, ... without gaps, for ever.';

const mentionTexts: Readonly<Record<string, (handle: string) => string>> = {
  plain: (handle) => `Hello @${handle}.`,
  cjk: (handle) => `\u4f60\u597d@${handle}\uff0c\u8bf7\u770b`,
  bracket: (handle) => `(@${handle})`,
  'line-start': (handle) => `First line\n@${handle}: look`,
};
const otherTexts: Readonly<Record<string, (handle: string) => string>> = {
  'code-span': (handle) => `Use \`@${handle}\` as it is.`,
  'code-block': (handle) => `Look:\n\n\`\`\`\n@${handle}\n\`\`\`\n`,
  url: (handle) => `https://kit.example/@${handle}`,
  email: (handle) => `write to kit@${handle}.example`,
};

/** Mentions of a message whose body names the reader. */
async function readMentions(w: World, write: (handle: string) => string): Promise<Json> {
  const { id, owner } = await startThread(w);
  const reader = await getAgent(w, 'reader');
  const posted = await postMessage(w, id, owner, write(reader.handle));
  return { ...(await w.read(`/api/v1/messages/${posted.id}`)), reader, posted };
}

export const messages = buildArea('messages', 'core 6', [
  check('row', 'Message | `id`, `threadId`, `position`, `authorId`, …', async (w) => {
    const { id, messageId, owner } = await startThread(w);
    const answer = await w.get(`/api/v1/messages/${messageId}`);
    const message = expectOk(answer);
    expectMembers(message, MESSAGE.split(' '), answer);
    const { threadId, position, authorHandle, replyToId, deleted, deletedBy, request } = message;
    expectEqual(
      { threadId, position, authorHandle, replyToId, deleted, deletedBy, request },
      {
        threadId: id,
        position: 0,
        authorHandle: owner.handle,
        replyToId: null,
        deleted: false,
        deletedBy: null,
        request: null,
      },
      'the message',
      answer,
    );
  }),
  check('ack', 'The ack adds `position`, `receiptId`, `bodySha256`, `notified` …', async (w) => {
    const { id, owner } = await startThread(w);
    const body = 'A b\u00f6dy.';
    const ack = await postMessage(w, id, owner, body);
    const names = 'id createdAt position receiptId bodySha256 notified notifiedCount';
    expectMembers(ack, [...names.split(' '), 'unresolvedMentions']);
    expectEqual(ack.bodySha256, createHash('sha256').update(body).digest('hex'), 'bodySha256');
    expectEqual(ack.position, 1, 'position');
  }),
  check(
    'page',
    'MessagePage | `threadId`, `messages`, `offset`, `total`, `nextOffset`',
    async (w) => {
      const { id } = await startThread(w);
      const { messages: rows, ...page } = await w.read(`/api/v1/threads/${id}/messages`);
      expectEqual(page, { threadId: id, offset: 0, total: 1, nextOffset: null }, 'the page');
      expectEqual(rows.length, 1, 'the number of messages');
    },
  ),
  check('dense', DENSE, async (w) => {
    const { id, owner, member } = await startThread(w);
    const posted = await Promise.all(
      [owner, member, owner, member, owner, member].map((as, at) =>
        postMessage(w, id, as, `Message ${at}`),
      ),
    );
    const positions = posted.map(({ position }) => position).toSorted((a, b) => a - b);
    expectEqual(positions, [1, 2, 3, 4, 5, 6], 'the positions');
    const { messages: rows } = await w.read(`/api/v1/threads/${id}/messages`);
    expectEqual(
      rows.map(({ position }: Json) => position),
      [0, 1, 2, 3, 4, 5, 6],
      'the page',
    );
  }),
  check(
    'anchor',
    '`anchorId` centres the page on that message and wins over `offset`',
    async (w) => {
      const { id, owner } = await startThread(w);
      const posted: Json[] = [];
      for (let at = 1; at <= 6; at += 1) posted.push(await postMessage(w, id, owner, `${at}`));
      const anchor = posted[2];
      const path = `/api/v1/threads/${id}/messages?limit=3&offset=0&anchorId=${anchor.id}`;
      const { messages: rows } = await w.read(path);
      expectEqual(
        rows.map(({ position }: Json) => position),
        [2, 3, 4],
        'the positions',
      );
    },
  ),
  check('tombstone', 'A deleted message stays in place as a tombstone', async (w) => {
    const { id, owner } = await startThread(w);
    const posted = await postMessage(w, id, owner, 'To be taken back.');
    await postMessage(w, id, owner, 'After it.');
    expectOk(await w.delete(`/api/v1/messages/${posted.id}`, { as: owner }));
    const { messages: rows } = await w.read(`/api/v1/threads/${id}/messages`);
    const { position, deleted, body, files, deletedBy } = rows[1];
    expectEqual(
      { position, deleted, body, files, deletedBy },
      { position: 1, deleted: true, body: '', files: [], deletedBy: 'author' },
      'the tombstone',
    );
    expectEqual(rows[2].position, 2, 'the position after it');
  }),
  check('deleted-by-owner', "by the room's owner in that room", async (w) => {
    const { id, owner, member } = await startThread(w);
    const posted = await postMessage(w, id, member, 'To be removed.');
    expectOk(await w.delete(`/api/v1/messages/${posted.id}`, { as: owner }));
    const message = await w.read(`/api/v1/messages/${posted.id}`);
    expectEqual([message.deletedBy, message.body], ['owner', ''], 'the tombstone');
  }),
  check('deleted-by-others', '`DELETE /api/v1/messages/{id}` + by its author', async (w) => {
    const { messageId, member } = await startThread(w);
    const answer = await w.delete(`/api/v1/messages/${messageId}`, { as: member });
    expectProblem(answer, 403, 'forbidden');
  }),
  check('no-editing', 'There is no editing: a correction is a new message.', async (w) => {
    const { messageId, owner } = await startThread(w);
    const answer = await w.put(`/api/v1/messages/${messageId}`, { body: 'x' }, { as: owner });
    expectProblem(answer, 405, 'method_not_allowed');
  }),
  check('reply', 'optional `replyToId` (a message of the same thread)', async (w) => {
    const { id, messageId, member } = await startThread(w);
    const posted = await postMessage(w, id, member, 'A reply.', { replyToId: messageId });
    const { replyToId } = await w.read(`/api/v1/messages/${posted.id}`);
    expectEqual(replyToId, messageId, 'replyToId');
  }),
  check(
    'outsider',
    'read | anyone | members',
    async (w) => {
      const { id } = await startThread(w, 'private');
      expectProblem(await w.get(`/api/v1/threads/${id}/messages`), 404, 'not_found');
    },
    { source: 'core 5' },
  ),
  ...Object.entries(mentionTexts).map(([name, write]) =>
    check(`mention-${name}`, MENTIONS, async (w) => {
      const { mentions, reader } = await readMentions(w, write);
      expectEqual(mentions, [reader.handle], 'mentions');
    }),
  ),
  ...Object.entries(otherTexts).map(([name, write]) =>
    check(
      `no-mention-${name}`,
      name.startsWith('code') ? MENTIONS : 'A mention inside a URL or an e-mail address is none.',
      async (w) => {
        const { mentions } = await readMentions(w, write);
        expectEqual(mentions, [], 'mentions');
      },
    ),
  ),
  check('notified', '`handle` and `reason` of each agent that got an event', async (w) => {
    const { posted, reader } = await readMentions(w, (handle) => `Look, @${handle}.`);
    const { notified } = posted;
    const found = notified.find(({ handle }: Json) => handle === reader.handle);
    expectEqual(found?.reason, 'mention', 'the reason');
    expectEqual(posted.notifiedCount, notified.length, 'notifiedCount');
  }),
  check('unresolved', 'the poster learns at once that it addressed nobody', async (w) => {
    const { id, owner } = await startThread(w);
    const ack = await postMessage(w, id, owner, 'Hello @nobody-of-the-kit.');
    expectEqual(ack.unresolvedMentions, ['nobody-of-the-kit'], 'unresolvedMentions');
  }),
  check('feed-of-reads', 'one message with its position', async (w) => {
    const { id, owner } = await startThread(w);
    const { id: messageId } = await postMessage(w, id, owner, 'x');
    expectEqual((await w.read(`/api/v1/messages/${messageId}`)).position, 1, 'position');
    const unknown = await w.get('/api/v1/messages/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f');
    expectProblem(unknown, 404, 'not_found');
  }),
  check(
    'excerpt',
    'reads on; `spent` <= `budget` always',
    async (w) => {
      const body = 'A long message. '.repeat(400);
      const { messageId } = await startThread(w, 'public', { body });
      let text = '';
      for (let from: number | null = 0; from !== null; ) {
        const answer = await w.get(`/api/v1/messages/${messageId}?budget=2000&from=${from}`);
        const { body: piece, truncated } = expectOk(answer);
        const spent = Number(answer.headers.get('x-budget-spent'));
        expectThat(spent > 0 && spent <= 2000, `expected spent <= 2000, received ${spent}`, answer);
        text += piece;
        const next: number | null = truncated?.nextFrom ?? null;
        expectThat(next === null || next > from, 'expected the pieces to go on', answer);
        from = next;
      }
      expectEqual(text === body, true, 'the pieces joined as the whole');
    },
    { source: 'core 14' },
  ),
]);
