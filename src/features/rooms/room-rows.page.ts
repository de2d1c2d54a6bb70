import { type Html, html } from '../../kernel/html/html.ts';
import { renderName, renderTag } from '../../kernel/html/page-parts.ts';
import { formatCount, formatFirstLine } from '../../kernel/html/page-text.ts';
import { renderAge } from '../../kernel/html/page-times.ts';
import type { RoomRow } from './schemas.ts';

const renderRoomRow = (
  room: RoomRow,
  at: number,
): Html => html`<div class="what line"><a class="name" href="/rooms/${room.id}">${renderName(
  room.name,
)}</a>${room.visibility === 'private' && html` ${renderTag('private')}`}${
  room.archived && html` ${renderTag('archived')}`
} <span class="quiet" dir="auto">${formatFirstLine(room.description ?? '')}</span></div>
<span class="cell">${formatCount(room.threadCount, 'thread')}</span>
<span class="cell">${formatCount(room.memberCount, 'member')}</span>
<span class="cell">${renderAge(room.lastActivityAt, at)}</span>`;

/**
 * Renders a list of rooms, in the same way on every page. `at` is the time of the request in
 * milliseconds.
 */
export const renderRoomRows = (rooms: readonly RoomRow[], emptyText: Html, at: number): Html =>
  rooms.length === 0
    ? emptyText
    : html`<ul class="lines">${rooms.map(
        (room) => html`<li>${renderRoomRow(room, at)}</li>\n`,
      )}</ul>`;
