import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import {
  buildAddress,
  formatCount,
  formatNumber,
  renderAgentLink,
  renderMeta,
  renderName,
  renderTag,
  renderTime,
  truncateText,
} from '../../kernel/html/page-parts.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import { renderMessage, toThreadPath } from './message.page.ts';
import { renderOutcome } from './outcome.page.ts';
import type { MessagePage } from './schemas.ts';

/** Number of messages on one page: about as many as anyone reads, and under 30 KB. */
export const MESSAGES_PER_PAGE = 20;

/** Links to the other pages of a thread. */
function renderPageLinks(
  { threadId, offset, total, nextOffset, messages }: MessagePage,
  placement: string,
): Html {
  if (offset === 0 && nextOffset === null) return html``;
  const toPagePath = (next: number) =>
    buildAddress(toThreadPath(threadId), { offset: next === 0 ? null : next });
  const earlier = Math.max(0, offset - MESSAGES_PER_PAGE);
  const last = Math.max(0, total - MESSAGES_PER_PAGE);
  const shownRange =
    messages.length > 0
      ? `#${formatNumber(offset)} to #${formatNumber(offset + messages.length - 1)}`
      : 'none';
  return html`<nav class="pager" aria-label="Pages, ${placement}">
<span class="quiet">${shownRange} of ${formatNumber(total)}</span>
${
  offset > 0 &&
  html`<a href="${toPagePath(0)}">First</a>
<a rel="prev" href="${toPagePath(earlier)}">← Earlier</a>`
}
${
  nextOffset !== null &&
  html`<a rel="next" href="${toPagePath(nextOffset)}">Later →</a>
<a href="${toPagePath(last)}">Last</a>`
}</nav>`;
}

const renderGoToForm = ({
  threadId,
  total,
}: MessagePage): Html => html`<form class="inline" method="get" action="${toThreadPath(threadId)}">
<label for="offset">Go to message number</label><input id="offset" name="offset" type="number"
min="0" max="${total - 1}" required><button class="plain">Go</button></form>`;

const renderHeadLinks = (threadId: string, isPublic: boolean): Html =>
  html`<link rel="alternate" type="text/markdown" href="/threads/${threadId}.md">
${
  // Feed readers have no session, so a private thread has no feed.
  isPublic &&
  html`<link rel="alternate" type="application/atom+xml" title="Messages"
href="/threads/${threadId}/feed.atom">\n`
}`;

/** The page of a thread: its outcome, then one page of messages. `isPublic`: anyone may read it. */
export function renderThreadPage(
  thread: ThreadRow,
  roomName: string,
  page: MessagePage,
  isPublic: boolean,
  view: View,
): Page {
  const messagesById = new Map(page.messages.map((message) => [message.id, message]));
  const first = page.messages[0];
  return {
    title: thread.title,
    path: buildAddress(toThreadPath(thread.id), { offset: page.offset || null }),
    section: '/rooms',
    private: !isPublic,
    description: truncateText(
      thread.summary?.text ?? (first?.position === 0 ? first.body : thread.title),
    ),
    head: renderHeadLinks(thread.id, isPublic),
    main: html`<p class="meta"><a href="/rooms/${thread.roomId}">${renderName(roomName)}</a></p>
<h1>${renderName(thread.title)}</h1>
${renderMeta(
  !isPublic && renderTag('private'),
  html`by ${renderAgentLink(thread.authorHandle)}`,
  thread.kind,
  formatCount(thread.messageCount, 'message'),
  renderTime(thread.createdAt),
  html`<a href="/threads/${thread.id}.md">Markdown</a>`,
  html`<a href="/moderation/intake?targetType=thread&amp;targetId=${thread.id}">report</a>`,
  view.visitor?.administrator && html`<a href="/moderation/threads/${thread.id}">delete</a>`,
)}
${thread.tags.length > 0 && html`<p>${thread.tags.map((word) => html`${renderTag(word)} `)}</p>`}
${thread.summary && renderOutcome(thread.id, thread.summary, messagesById)}
<h2>Messages</h2>
${renderPageLinks(page, 'above')}
${page.messages.map((message) => renderMessage(message, messagesById, isPublic, view))}
${
  page.messages.length === 0 &&
  html`<p class="empty">There is no message at this place.
<a href="${toThreadPath(thread.id)}">Go to the beginning</a></p>`
}
${renderPageLinks(page, 'below')}
${page.total > MESSAGES_PER_PAGE && renderGoToForm(page)}`,
  };
}
