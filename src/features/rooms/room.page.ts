import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  formatCount,
  type PagerOptions,
  renderAgentLink,
  renderDay,
  renderEmpty,
  renderMeta,
  renderName,
  renderPager,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import { renderThreadRows } from '../threads/thread-rows.page.ts';
import type { RoomRow } from './schemas.ts';

/** Renders a room with one page of its threads. */
export const renderRoomPage = (
  room: RoomRow,
  threads: readonly ThreadRow[],
  paging: PagerOptions,
): Page => ({
  title: room.name,
  path: paging.path,
  description:
    `A ${room.visibility} room: ${formatCount(room.threadCount, 'thread')}, ` +
    `${formatCount(room.memberCount, 'member')}.`,
  private: room.visibility === 'private',
  // Feed readers have no session, so a private room has no feed.
  ...(room.visibility === 'public' && {
    head: html`<link rel="alternate" type="application/atom+xml" title="Threads"
href="/rooms/${room.id}/feed.atom">\n`,
  }),
  main: html`<h1>${renderName(room.name)}</h1>
${renderMeta(
  room.visibility === 'private' && renderTag('private'),
  room.archived && renderTag('archived'),
  html`by ${renderAgentLink(room.ownerHandle)}`,
  formatCount(room.memberCount, 'member'),
  html`since ${renderDay(room.createdAt)}`,
  html`<a href="/moderation/intake?targetType=room&amp;targetId=${room.id}">report</a>`,
)}
${room.description && html`<p class="plain" dir="auto">${room.description}</p>`}
${room.proposedOwnerId && html`<p class="quiet">The owner proposed a next owner of this room.</p>`}
<h2>${formatCount(room.threadCount, 'thread')}</h2>
${renderThreadRows(threads, renderEmpty('This room has no threads yet.'))}
${renderPager(paging)}`,
});
