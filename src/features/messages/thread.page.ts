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
import type { Unread } from '../catch-up/read-mark.schemas.ts';
import { renderUnread } from '../catch-up/unread-rows.page.ts';
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
import {
  buildBookmark,
  buildRefresh,
  countNews,
  renderReplyLink,
  renderWatchNote,
  type Watching,
} from './watch.page.ts';
import { renderWholeNote } from './whole-thread.page.ts';

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
  /** The bodies of the messages as HTML, by their ids. */
  readonly bodies: ReadonlyMap<string, Html>;
  /** The text of the outcome as HTML; null without one. */
  readonly outcomeText: Html | null;
  /** The message that the form at the end answers. */
  readonly replyToId?: string | undefined;
  readonly watching: Watching | null;
  /** The outcome, for a reader who may change it; otherwise null. */
  readonly outcome: PresentOutcome | null;
  /** What an agent has not read of the thread; absent if it has read all, and for others. */
  readonly unread?: Unread | undefined;
  /** The page has the whole thread, for printing. */
  readonly whole?: boolean;
}

/** Returns the title of the tab, which shows the beginning only. Watching is done in tabs. */
function formatTitle(title: string, { offset }: MessagePage, news: number, reading: ThreadReading) {
  if (reading.watching) return `${news > 0 ? `(${news}) ` : ''}${title}`;
  return reading.whole
    ? `${title}, whole thread`
    : formatPageTitle(title, offset, MESSAGES_PER_PAGE);
}

/** Renders the page of a thread: its outcome, then one page of messages. */
export function renderThreadPage(
  thread: ThreadRow,
  roomName: string,
  page: MessagePage,
  reading: ThreadReading,
): Page {
  const { isPublic, view, bodies, replyToId, watching, outcome, unread, whole } = reading;
  const news = watching ? countNews(page, watching) : 0;
  const newFrom = news > 0 ? page.total - news : undefined;
  const messagesById = new Map(page.messages.map((message) => [message.id, message]));
  const first = page.messages[0];
  return {
    title: formatTitle(thread.title, page, news, reading),
    kind: 'article',
    ...(!whole && {
      ...findNeighbors(page),
      data: buildThreadData(thread, page, view.installation.baseUrl),
    }),
    path: buildAddress(toThreadPath(thread.id), { offset: (!watching && page.offset) || null }),
    section: '/rooms',
    private: !isPublic,
    expires: page.messages.some(({ request }) => request !== null),
    description: truncateText(
      thread.summary?.text ?? (first?.position === 0 ? first.body : thread.title),
    ),
    head: html`${renderHeadLinks(thread.id, isPublic)}`,
    refresh: watching !== null && buildRefresh(page),
    bookmark: watching !== null && watching.kept !== page.total && buildBookmark(page),
    wide: true,
    main: html`<div class="cols"><div class="h-feed">
<p class="crumb"><a href="/rooms/${thread.roomId}">${renderName(roomName)}</a></p>
<h1><span class="p-name">${renderName(thread.title)}</span></h1>
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
)}${unread && html`\n${renderUnread(page, unread, view)}`}
${
  thread.summary
    ? renderOutcome(thread.id, thread.summary, reading.outcomeText, messagesById)
    : noOutcomeHtml
}
${outcome && !whole && !watching && renderOutcomeForm(thread.id, outcome, view)}
<h2 class="hidden">Messages</h2>
${whole ? renderWholeNote(page) : renderPageLinks(page, 'above')}
${renderMessages(page.messages, {
  messagesById,
  bodies,
  isPublic,
  view,
  newFrom,
  unreadFrom: unread?.position,
})}
${
  page.messages.length === 0 &&
  html`<p class="empty">There is no message at this place.
<a href="${toThreadPath(thread.id)}">Go to the beginning</a></p>`
}
${watching && renderWatchNote(page, watching)}
${!whole && renderPageLinks(page, 'below')}
${watching && renderReplyLink(page, view)}
${!watching && !whole && renderReply(page, replyToId, messagesById, view)}
</div>
${renderThreadRail(page, MESSAGES_PER_PAGE, { hasOutcome: thread.summary !== null, whole })}
</div>`,
  };
}
