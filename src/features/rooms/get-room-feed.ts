import { notFound } from '../../kernel/access.ts';
import { ATOM_EXAMPLE, ATOM_MEDIA, atomText } from '../../kernel/html/atom.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { textContent } from '../../kernel/operation/text-content.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { roomId } from './schemas.ts';
import * as rooms from './store.ts';

const ENTRIES = 50;

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
      'Up to 50, the latest message first. An entry has the outcome of its thread, where there is one.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    cached: true,
    params: roomId,
    media: ATOM_MEDIA,
    examples: { output: ATOM_EXAMPLE },
    errors: ['not_found'],
  },
  async ({ tx, agent, installation: { baseUrl } }, { params: { id } }) => {
    const reader = agent?.id ?? null;
    const [room, listed] = await Promise.all([
      rooms.findRow(tx, id, reader),
      threads.list(tx, reader, id, 0, ENTRIES),
    ]);
    if (!room) throw notFound('room');
    const pagePath = `/rooms/${id}`;
    const feed = {
      id,
      title: room.name,
      subtitle: room.description,
      path: `${pagePath}/feed.atom`,
      pagePath,
      updatedAt: room.lastActivityAt,
      entries: listed.map(toEntry),
    };
    return textContent(ATOM_MEDIA, atomText(feed, baseUrl), {
      private: room.visibility === 'private',
    });
  },
);
