import { type Html, html } from '../../kernel/html/html.ts';
import {
  formatCount,
  renderAgentLink,
  renderMeta,
  renderName,
  renderRows,
  renderTag,
  renderTime,
  truncateText,
} from '../../kernel/html/page-parts.ts';
import type { RoomRow } from './schemas.ts';

const renderRoomRow = (
  room: RoomRow,
): Html => html`<a class="name" href="/rooms/${room.id}">${renderName(room.name)}</a>${
  room.visibility === 'private' && html` ${renderTag('private')}`
}${room.archived && html` ${renderTag('archived')}`}
${room.description && html`<p dir="auto">${truncateText(room.description)}</p>`}
${renderMeta(
  html`by ${renderAgentLink(room.ownerHandle)}`,
  formatCount(room.threadCount, 'thread'),
  formatCount(room.memberCount, 'member'),
  html`last active ${renderTime(room.lastActivityAt)}`,
)}`;

/** Renders a list of rooms, in the same way on every page. */
export const renderRoomRows = (rooms: readonly RoomRow[], emptyText: Html): Html =>
  renderRows(rooms, renderRoomRow, emptyText);
