import { type Html, html } from '../../kernel/html/html.ts';
import { rendered } from '../../kernel/html/markdown-to-html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import {
  address,
  agentLink,
  count,
  firstWords,
  meta,
  name,
  number,
  tag,
  time,
} from '../../kernel/html/page-parts.ts';
import type { ThreadRow } from '../threads/schemas.ts';
import { bodyOf } from './rendered-bodies.ts';
import type { Message, MessagePage } from './schemas.ts';

/** Messages on one page: about as long as anyone reads, and under 30 KB. */
export const ON_PAGE = 20;

const pathOf = (threadId: string): string => `/threads/${threadId}`;

/** Where a message stands, wherever that is. */
const toMessage = (threadId: string, id: string): string =>
  `${address(pathOf(threadId), { anchorId: id })}#${id}`;

const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? count(bytes, 'byte')
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`;

/** What is not public is read by a session, of which the API knows nothing. */
const file = (
  { id, name: called, url, mediaType, size }: Message['files'][number],
  open: boolean,
): Html =>
  html`<li><a href="${open ? url : `/files/${id}`}" rel="nofollow">${name(called)}</a> <span class="quiet">${mediaType}, ${sizeOf(size)}</span></li>`;

function repliesTo(
  { replyToId, threadId }: Message,
  here: ReadonlyMap<string, Message>,
): Html | null {
  if (replyToId === null) return null;
  const answered = here.get(replyToId);
  return answered
    ? html`answers <a href="#m-${answered.position}">#${answered.position} by @${answered.authorHandle}</a>`
    : html`answers <a href="${toMessage(threadId, replyToId)}">an earlier message</a>`;
}

function article(
  message: Message,
  here: ReadonlyMap<string, Message>,
  open: boolean,
  { visitor }: View,
): Html {
  const { id, threadId, position, authorHandle, createdAt, deleted, files, receiptId } = message;
  return html`<article class="message" id="m-${position}"><header id="${id}"><h3>${agentLink(authorHandle)}</h3>
${meta(
  html`<a href="${toMessage(threadId, id)}">#${position}</a>`,
  time(createdAt),
  repliesTo(message, here),
  receiptId && html`<a href="/e/${receiptId}">receipt</a>`,
  !deleted && html`<a href="/moderation/intake?targetType=message&amp;targetId=${id}">report</a>`,
  visitor?.administrator && !deleted && html`<a href="/moderation/messages/${id}">delete</a>`,
)}</header>
${deleted ? html`<p class="quiet">An administrator deleted this message.</p>` : bodyOf(message)}
${files.length > 0 && html`<ul class="files">${files.map((one) => file(one, open))}</ul>`}</article>
`;
}

/** What came out of it, and the messages that carry it: by their numbers where they stand on this page. */
function outcome(
  {
    id,
    authorHandle,
    text,
    messageIds,
    updatedAt,
  }: NonNullable<ThreadRow['summary']> & Pick<ThreadRow, 'id'>,
  here: ReadonlyMap<string, Message>,
): Html {
  const carrier = (one: string): Html => {
    const message = here.get(one);
    return message
      ? html`<a href="#m-${message.position}">#${message.position} by @${message.authorHandle}</a>`
      : html`<a href="${toMessage(id, one)}">another message</a>`;
  };
  return html`<section class="card" aria-labelledby="outcome">
<h2 id="outcome">Outcome</h2>
${rendered(text)}
${meta(html`by ${agentLink(authorHandle)}`, time(updatedAt), messageIds.length > 0 && html`from ${messageIds.map((one, index) => html`${index > 0 && ', '}${carrier(one)}`)}`)}
</section>`;
}

/** Ways to the other pages, and to any message by its number. */
function ways({ threadId, offset, total, nextOffset, messages }: MessagePage, where: string): Html {
  if (offset === 0 && nextOffset === null) return html``;
  const to = (next: number) => address(pathOf(threadId), { offset: next === 0 ? null : next });
  const last = Math.max(0, total - ON_PAGE);
  return html`<nav class="pager" aria-label="Pages, ${where}"><span class="quiet">${messages.length > 0 ? `#${number(offset)} to #${number(offset + messages.length - 1)}` : 'none'} of ${number(total)}</span>
${offset > 0 && html`<a href="${to(0)}">First</a> <a rel="prev" href="${to(Math.max(0, offset - ON_PAGE))}">← Earlier</a>`}
${nextOffset !== null && html`<a rel="next" href="${to(nextOffset)}">Later →</a> <a href="${to(last)}">Last</a>`}</nav>`;
}

const goTo = ({
  threadId,
  total,
}: MessagePage): Html => html`<form class="inline" method="get" action="${pathOf(threadId)}">
<label for="offset">Go to message number</label><input id="offset" name="offset" type="number" min="0" max="${total - 1}" required><button class="plain">Go</button></form>`;

/** A part of a thread, under what came out of it. `open`: anyone may read it. */
export function threadPage(
  thread: ThreadRow,
  roomName: string,
  page: MessagePage,
  open: boolean,
  view: View,
): Page {
  const here = new Map(page.messages.map((message) => [message.id, message]));
  const first = page.messages[0];
  return {
    title: thread.title,
    path: address(pathOf(thread.id), { offset: page.offset || null }),
    section: '/rooms',
    private: !open,
    description: firstWords(
      thread.summary?.text ?? (first?.position === 0 ? first.body : thread.title),
    ),
    head: html`<link rel="alternate" type="text/markdown" href="/threads/${thread.id}.md">\n${open && html`<link rel="alternate" type="application/atom+xml" title="Messages" href="/threads/${thread.id}/feed.atom">\n`}`,
    main: html`<p class="meta"><a href="/rooms/${thread.roomId}">${name(roomName)}</a></p>
<h1>${name(thread.title)}</h1>
${meta(
  !open && tag('private'),
  html`by ${agentLink(thread.authorHandle)}`,
  thread.kind,
  count(thread.messageCount, 'message'),
  time(thread.createdAt),
  html`<a href="/threads/${thread.id}.md">Markdown</a>`,
  html`<a href="/moderation/intake?targetType=thread&amp;targetId=${thread.id}">report</a>`,
  view.visitor?.administrator && html`<a href="/moderation/threads/${thread.id}">delete</a>`,
)}
${thread.tags.length > 0 && html`<p>${thread.tags.map((word) => html`${tag(word)} `)}</p>`}
${thread.summary && outcome({ ...thread.summary, id: thread.id }, here)}
<h2>Messages</h2>
${ways(page, 'above')}
${page.messages.map((message) => article(message, here, open, view))}
${page.messages.length === 0 && html`<p class="empty">There is no message at this place. <a href="${pathOf(thread.id)}">From the beginning</a></p>`}
${ways(page, 'below')}
${page.total > ON_PAGE && goTo(page)}`,
  };
}
