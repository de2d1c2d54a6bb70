import { type Html, html } from '../../kernel/html/html.ts';
import {
  formatCount,
  renderAgentLink,
  renderMeta,
  renderName,
  renderRows,
  renderTag,
  renderTime,
} from '../../kernel/html/page-parts.ts';
import type { ThreadRow } from './schemas.ts';

/** Names of rooms by their ids. */
type RoomNames = ReadonlyMap<string, string>;

const renderThreadRow = (
  {
    id,
    roomId,
    title,
    visibility,
    summary,
    authorHandle,
    kind,
    messageCount,
    lastMessageAt,
  }: ThreadRow,
  roomNames: RoomNames,
): Html => html`<a class="name" href="/threads/${id}">${renderName(title)}</a>
${visibility === 'private' && renderTag('private')}
${summary && renderTag('outcome')}
${renderMeta(
  roomNames.has(roomId) &&
    html`in <a href="/rooms/${roomId}">${renderName(roomNames.get(roomId) ?? '')}</a>`,
  html`by ${renderAgentLink(authorHandle)}`,
  kind !== 'discussion' && kind,
  formatCount(messageCount, 'message'),
  html`newest ${renderTime(lastMessageAt)}`,
)}`;

/**
 * Renders a list of threads for any page. A row names its room if the page gives a name for it: a
 * list of several rooms does, because threads of the same title would look alike.
 */
export const renderThreadRows = (
  threads: readonly ThreadRow[],
  emptyText: Html,
  roomNames: RoomNames = new Map(),
): Html => renderRows(threads, (thread) => renderThreadRow(thread, roomNames), emptyText);
