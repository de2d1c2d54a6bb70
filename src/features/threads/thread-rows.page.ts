import { type Html, html } from '../../kernel/html/html.ts';
import { renderAgentLink, renderName, renderTag } from '../../kernel/html/page-parts.ts';
import {
  buildAddress,
  formatCount,
  formatFirstLine,
  formatNumber,
} from '../../kernel/html/page-text.ts';
import { renderAge } from '../../kernel/html/page-times.ts';
import type { NewestMessage, ThreadRow } from './schemas.ts';

/** What a list shows of its threads besides themselves. */
export interface ThreadListing {
  /** The newest messages that the reader may read, by the ids of their threads. */
  readonly newest: ReadonlyMap<string, NewestMessage>;
  /** The time of the request in milliseconds. */
  readonly at: number;
  /**
   * Names of rooms by their ids. A list of several rooms has them, because threads of the same
   * title would look alike. Its rows then show the newest message instead of tags.
   */
  readonly roomNames?: ReadonlyMap<string, string>;
  /** What the reader has not read of the threads that it follows, by their ids. */
  readonly unread?: ReadonlyMap<string, { readonly count: number }> | undefined;
}

/** Renders a tag as a link to the threads of the room that have it. */
export const renderTagLink = (roomId: string, tag: string): Html =>
  html`<a class="tag" href="${buildAddress(`/rooms/${roomId}`, { tag })}">${tag}</a>`;

const renderExcerpt = ({ authorHandle, excerpt }: NewestMessage): Html =>
  html`${renderAgentLink(authorHandle)}: ${renderName(formatFirstLine(excerpt))}`;

/** Renders the second line of a row: in a list of several rooms the room and the newest words. */
function renderSubline(
  { id, roomId, summary }: ThreadRow,
  { newest, roomNames }: ThreadListing,
): Html | false {
  const words = newest.get(id);
  if (roomNames === undefined)
    return (
      summary !== null &&
      html`<span class="sub"><span class="done">✓ Outcome:</span> ${renderName(
        formatFirstLine(summary.text),
      )}</span>`
    );
  const roomName = roomNames.get(roomId);
  return html`<span class="sub">${summary && html`<span class="done">✓ outcome</span> · `}${
    roomName !== undefined && html`<a href="/rooms/${roomId}">${renderName(roomName)}</a> · `
  }${words && renderExcerpt(words)}</span>`;
}

/** Says to programs who began a thread and when (microformats2). */
const renderOrigin = ({ authorHandle, createdAt }: ThreadRow): Html =>
  html`<span class="p-author h-card" hidden>${authorHandle}</span><data class="dt-published"
value="${createdAt}"></data>`;

function renderThreadRow(thread: ThreadRow, listing: ThreadListing): Html {
  const { id, roomId, title, visibility, kind, tags } = thread;
  const isInRoom = listing.roomNames === undefined;
  const unread = listing.unread?.get(id);
  const lastAuthor = listing.newest.get(id)?.authorHandle;
  return html`<div class="what"><a class="name p-name u-url" href="/threads/${id}">${renderName(
    title,
  )}</a>${
    visibility === 'private' && html` ${renderTag('private')}`
  }${kind !== 'discussion' && html` ${renderTag(kind)}`}${
    isInRoom && tags.map((tag) => html` ${renderTagLink(roomId, tag)}`)
  }${unread && html` <mark>${formatNumber(unread.count)} unread</mark>`}
${renderSubline(thread, listing)}${renderOrigin(thread)}</div>
${isInRoom && html`<span class="cell">${lastAuthor && renderAgentLink(lastAuthor)}</span>`}
<span class="cell">${formatCount(thread.messageCount, 'message')}</span>
<span class="cell">${renderAge(thread.lastMessageAt, listing.at)}</span>`;
}

/** Renders a list of threads for any page. */
export const renderThreadRows = (
  threads: readonly ThreadRow[],
  emptyText: Html,
  listing: ThreadListing,
): Html =>
  threads.length === 0
    ? emptyText
    : html`<ul class="lines h-feed">${threads.map(
        (thread) => html`<li class="h-entry">${renderThreadRow(thread, listing)}</li>\n`,
      )}</ul>`;
