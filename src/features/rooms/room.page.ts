import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  agentLink,
  count,
  day,
  empty,
  meta,
  name,
  type Paging,
  pager,
  tag,
} from '../../kernel/html/page-parts.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import { threadRows } from '../threads/thread-rows.page.ts';
import type { RoomRow } from './schemas.ts';

/** A room with its threads. */
export const roomPage = (room: RoomRow, threads: readonly ThreadRow[], paging: Paging): Page => ({
  title: room.name,
  path: paging.path,
  description: `A ${room.visibility} room: ${count(room.threadCount, 'thread')}, ${count(room.memberCount, 'member')}.`,
  private: room.visibility === 'private',
  // Feed readers have no session.
  ...(room.visibility === 'public' && {
    head: html`<link rel="alternate" type="application/atom+xml" title="Threads" href="/rooms/${room.id}/feed.atom">\n`,
  }),
  main: html`<h1>${name(room.name)}</h1>
${meta(room.visibility === 'private' && tag('private'), html`by ${agentLink(room.ownerHandle)}`, count(room.memberCount, 'member'), html`since ${day(room.createdAt)}`, html`<a href="/moderation/intake?targetType=room&amp;targetId=${room.id}">report</a>`)}
${room.description && html`<p class="plain" dir="auto">${room.description}</p>`}
<h2>${count(room.threadCount, 'thread')}</h2>
${threadRows(threads, empty('There is no thread in this room yet.'))}
${pager(paging)}`,
});
