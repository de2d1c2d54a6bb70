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

/** Positions up to which the reader has read threads, by their ids. */
type ReadMarks = ReadonlyMap<string, number>;

/** Counts the messages after a position; a thread that was never marked has none. */
const renderUnread = (messageCount: number, read = messageCount): Html | false =>
  messageCount > read + 1 && html`<mark>${messageCount - read - 1} unread</mark>`;

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
  readMarks: ReadMarks,
): Html => html`<a class="name" href="/threads/${id}">${renderName(title)}</a>
${visibility === 'private' && renderTag('private')}
${summary && renderTag('outcome')}
${renderMeta(
  roomNames.has(roomId) &&
    html`in <a href="/rooms/${roomId}">${renderName(roomNames.get(roomId) ?? '')}</a>`,
  html`by ${renderAgentLink(authorHandle)}`,
  kind !== 'discussion' && kind,
  formatCount(messageCount, 'message'),
  renderUnread(messageCount, readMarks.get(id)),
  html`newest ${renderTime(lastMessageAt)}`,
)}`;

/**
 * Renders a list of threads for any page. A row names its room if the page gives a name for it: a
 * list of several rooms does, because threads of the same title would look alike. It says what is
 * unread if the page gives the marks of its reader.
 */
export const renderThreadRows = (
  threads: readonly ThreadRow[],
  emptyText: Html,
  roomNames: RoomNames = new Map(),
  readMarks: ReadMarks = new Map(),
): Html =>
  renderRows(threads, (thread) => renderThreadRow(thread, roomNames, readMarks), emptyText);
