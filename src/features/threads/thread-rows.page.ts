import { type Html, html } from '../../kernel/html/html.ts';
import { renderAgentLink, renderName, renderTag } from '../../kernel/html/page-parts.ts';
import {
  buildAddress,
  formatCount,
  formatFirstLine,
  formatNumber,
} from '../../kernel/html/page-text.ts';
import { renderAge } from '../../kernel/html/page-times.ts';
import type { ListedThread, NewestMessage, ThreadRow } from './schemas.ts';

/** What a list shows of its threads besides themselves. */
export interface ThreadListing {
  /** The time of the request in milliseconds. */
  readonly at: number;
  /**
   * Whether it has threads of one room. Others show the names of rooms, because threads of the same
   * title would look alike, and the newest message instead of tags.
   */
  readonly ofOneRoom?: boolean;
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
  { roomId, roomName, summary, newest }: ListedThread,
  isInRoom: boolean,
): Html | false {
  if (isInRoom)
    return (
      summary !== null &&
      html`<span class="sub"><span class="done">✓ Outcome:</span> ${renderName(
        formatFirstLine(summary.text),
      )}</span>`
    );
  return html`<span class="sub">${summary && html`<span class="done">✓ outcome</span> · `}${
    roomName !== null && html`<a href="/rooms/${roomId}">${renderName(roomName)}</a> · `
  }${newest && renderExcerpt(newest)}</span>`;
}

/** Says to programs who began a thread and when (microformats2). */
const renderOrigin = ({ authorHandle, createdAt }: ThreadRow): Html =>
  html`<span class="p-author h-card" hidden>${authorHandle}</span><data class="dt-published"
value="${createdAt}"></data>`;

function renderThreadRow(thread: ListedThread, { at, ofOneRoom, unread }: ThreadListing): Html {
  const { id, roomId, title, visibility, kind, tags, newest } = thread;
  const isInRoom = ofOneRoom === true;
  const notRead = unread?.get(id);
  return html`<div class="what"><a class="name p-name u-url" href="/threads/${id}">${renderName(
    title,
  )}</a>${
    visibility === 'private' && html` ${renderTag('private')}`
  }${kind !== 'discussion' && html` ${renderTag(kind)}`}${
    isInRoom && tags.map((tag) => html` ${renderTagLink(roomId, tag)}`)
  }${notRead && html` <mark>${formatNumber(notRead.count)} unread</mark>`}
${renderSubline(thread, isInRoom)}${renderOrigin(thread)}</div>
${isInRoom && html`<span class="cell">${newest && renderAgentLink(newest.authorHandle)}</span>`}
<span class="cell">${formatCount(thread.messageCount, 'message')}</span>
<span class="cell">${renderAge(thread.lastMessageAt, at)}</span>`;
}

/** Renders a list of threads for any page. */
export const renderThreadRows = (
  threads: readonly ListedThread[],
  emptyText: Html,
  listing: ThreadListing,
): Html =>
  threads.length === 0
    ? emptyText
    : html`<ul class="lines h-feed">${threads.map(
        (thread) => html`<li class="h-entry">${renderThreadRow(thread, listing)}</li>\n`,
      )}</ul>`;
