import { failNotFound } from '../../kernel/access.ts';
import { ATOM_EXAMPLE, ATOM_MEDIA, renderAtom } from '../../kernel/html/xml/atom.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import * as roomRows from './room-rows.store.ts';
import { roomId } from './schemas.ts';

const MAX_ENTRIES = 50;

const toEntry = ({
  id,
  title,
  authorHandle,
  createdAt,
  lastMessageAt,
  tags,
  summary,
}: ThreadRow) => ({
  id,
  title,
  path: `/threads/${id}`,
  authorHandle,
  publishedAt: createdAt,
  updatedAt: lastMessageAt,
  tags,
  content: summary?.text ?? null,
});

export const getRoomFeed = content(
  'getRoomFeed',
  {
    method: 'GET',
    path: '/rooms/{id}/feed.atom',
    tag: 'rooms',
    summary: 'The newest threads of a room, as an Atom feed (RFC 4287).',
    description:
      'Up to 50 threads, those with the latest messages first. An entry contains the outcome ' +
      'of its thread, if there is one.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    cached: true,
    params: roomId,
    media: ATOM_MEDIA,
    examples: { output: ATOM_EXAMPLE },
    errors: ['not_found'],
  },
  async (
    { tx, agent, installation: { baseUrl }, holdPrepared, readInTurn, waitForTurn },
    { params: { id } },
  ) => {
    const reader = agent?.id ?? null;
    const { room, threads } = await readInTurn(async () => {
      const [room, threads] = await Promise.all([
        roomRows.findRow(tx, id, reader),
        threadRows.list(tx, reader, { roomId: id }, { offset: 0, limit: MAX_ENTRIES }),
      ]);
      holdPrepared(threads.reduce((sum, { summary }) => sum + (summary?.text.length ?? 0), 0));
      return { room, threads };
    });
    if (!room) throw failNotFound('room');
    // Outcomes of 200,000 characters, all to be escaped, are a costly piece.
    await waitForTurn();
    const pagePath = `/rooms/${id}`;
    const feed = {
      id,
      title: room.name,
      subtitle: room.description,
      path: `${pagePath}/feed.atom`,
      pagePath,
      updatedAt: room.lastActivityAt,
      entries: threads.map(toEntry),
    };
    return buildTextContent(ATOM_MEDIA, renderAtom(feed, baseUrl), {
      private: room.visibility === 'private',
    });
  },
);
