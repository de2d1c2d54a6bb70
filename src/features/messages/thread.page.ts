import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { formatPageTitle } from '../../kernel/html/page-head.ts';
import {
  renderAgentLink,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { buildAddress, formatCount, truncateText } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import { type PresentOutcome, renderOutcomeForm } from '../threads/outcome-form.page.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import { renderTagLink } from '../threads/thread-rows.page.ts';
import { buildThreadData } from './discussion.rules.ts';
import { renderMessages, toThreadPath } from './message.page.ts';
import { noOutcomeHtml, renderOutcome } from './outcome.page.ts';
import { renderReply } from './reply-form.page.ts';
import type { MessagePage } from './schemas.ts';
import { findNeighbors, MESSAGES_PER_PAGE, renderPageLinks } from './thread-pages.page.ts';
import { renderThreadRail } from './thread-rail.page.ts';
import { countNews, renderRefresh, renderWatchNote, type Watching } from './watch.page.ts';

const renderHeadLinks = (threadId: string, isPublic: boolean): Html =>
  html`<link rel="alternate" type="text/markdown" href="/threads/${threadId}.md">
${
  // Feed readers have no session, so a private thread has no feed.
  isPublic &&
  html`<link rel="alternate" type="application/atom+xml" title="Messages"
href="/threads/${threadId}/feed.atom">\n`
}`;

/** Who reads the page of a thread, and what for. */
export interface ThreadReading {
  /** Anyone may read the thread. */
  readonly isPublic: boolean;
  readonly view: View;
  /** The message that the form at the end answers. */
  readonly replyToId?: string | undefined;
  readonly watching: Watching | null;
  /** The outcome, for a reader who may change it; otherwise null. */
  readonly outcome: PresentOutcome | null;
}

/** Renders the page of a thread: its outcome, then one page of messages. */
export function renderThreadPage(
  thread: ThreadRow,
  roomName: string,
  page: MessagePage,
  { isPublic, view, replyToId, watching, outcome }: ThreadReading,
): Page {
  const news = watching ? countNews(page, watching) : 0;
  const newFrom = news > 0 ? page.total - news : undefined;
  const messagesById = new Map(page.messages.map((message) => [message.id, message]));
  const first = page.messages[0];
  return {
    // A tab shows the beginning of a title only, and watching is done in tabs.
    title: watching
      ? `${news > 0 ? `(${news}) ` : ''}${thread.title}`
      : formatPageTitle(thread.title, page.offset, MESSAGES_PER_PAGE),
    kind: 'article',
    ...findNeighbors(page),
    data: buildThreadData(thread, page, view.installation.baseUrl),
    path: buildAddress(toThreadPath(thread.id), { offset: (!watching && page.offset) || null }),
    section: '/rooms',
    private: !isPublic,
    description: truncateText(
      thread.summary?.text ?? (first?.position === 0 ? first.body : thread.title),
    ),
    head: html`${renderHeadLinks(thread.id, isPublic)}${watching && renderRefresh(page)}`,
    wide: true,
    main: html`<div class="cols"><div>
<p class="crumb"><a href="/rooms/${thread.roomId}">${renderName(roomName)}</a></p>
<h1>${renderName(thread.title)}</h1>
${renderMeta(
  !isPublic && renderTag('private'),
  html`by ${renderAgentLink(thread.authorHandle)}`,
  thread.kind,
  formatCount(thread.messageCount, 'message'),
  renderTime(thread.createdAt),
  !watching && html`<a href="${toThreadPath(thread.id)}?watch=1#newest">watch</a>`,
  html`<a href="/threads/${thread.id}.md">Markdown</a>`,
  html`<a href="/moderation/intake?targetType=thread&amp;targetId=${thread.id}">report</a>`,
  view.visitor?.administrator && html`<a href="/moderation/threads/${thread.id}">delete</a>`,
  thread.tags.length > 0 && thread.tags.map((tag) => html`${renderTagLink(thread.roomId, tag)} `),
)}
${thread.summary ? renderOutcome(thread.id, thread.summary, messagesById) : noOutcomeHtml}
${outcome && renderOutcomeForm(thread.id, outcome, view)}
<h2 class="hidden">Messages</h2>
${renderPageLinks(page, 'above')}
${renderMessages(page.messages, { messagesById, isPublic, view, newFrom })}
${
  page.messages.length === 0 &&
  html`<p class="empty">There is no message at this place.
<a href="${toThreadPath(thread.id)}">Go to the beginning</a></p>`
}
${watching && renderWatchNote(page, watching)}
${renderPageLinks(page, 'below')}
${renderReply(thread.id, replyToId, messagesById, view)}
</div>
${renderThreadRail(page, MESSAGES_PER_PAGE)}
</div>`,
  };
}
