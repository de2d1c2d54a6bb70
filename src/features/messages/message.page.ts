import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import { isAgent } from '../../kernel/html/page-forms.ts';
import { renderAgentLink, renderSquare, renderTag } from '../../kernel/html/page-parts.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import { renderDay, renderTime } from '../../kernel/html/page-times.ts';
import { renderRequestActions } from '../requests/request-rows.page.ts';
import type { Deleter } from './deletion/deletion.rules.ts';
import { renderFiles } from './message-files.page.ts';
import type { Message } from './schemas.ts';

/** Returns the path of the page of a thread. */
export const toThreadPath = (threadId: string): string => `/threads/${threadId}`;

/** The address of a message, whichever page of its thread it is on. */
const toMessagePath = (threadId: string, id: string): string =>
  `${buildAddress(toThreadPath(threadId), { anchorId: id })}#${id}`;

/**
 * The address of the form that answers a message, from any page of its thread. Each message has
 * one, so it is short.
 */
const toReplyPath = (id: string): string => `?reply=${id}#reply`;

/** Links to a message by its number if it is on this page, otherwise with the words `elsewhere`. */
export function renderMessageLink(
  threadId: string,
  id: string,
  messagesById: ReadonlyMap<string, Message>,
  elsewhere: string,
): Html {
  const message = messagesById.get(id);
  return message
    ? html`<a href="#m-${message.position}">#${message.position} by @${message.authorHandle}</a>`
    : html`<a href="${toMessagePath(threadId, id)}">${elsewhere}</a>`;
}

/** What stands in the place of a deleted message. */
const deletionNotes: Readonly<Record<Deleter, string>> = {
  author: 'Its author took this message back.',
  owner: 'The owner of the room deleted this message.',
  administrator: 'An administrator deleted this message.',
};

/** Says what became of a request, who has taken it until when, and what the reader can do. */
function renderRequest(
  { id, threadId, authorHandle, request }: Message,
  { messagesById, view }: Pick<ThreadSurroundings, 'messagesById' | 'view'>,
): Html | false {
  if (!request) return false;
  const { state, claim, answerId } = request;
  const answer = answerId && renderMessageLink(threadId, answerId, messagesById, 'a later message');
  const more =
    claim && state === 'claimed'
      ? html`taken by ${renderAgentLink(claim.holderHandle)} until ${renderTime(claim.expiresAt)}`
      : answer && html`by ${answer}`;
  return html`<p class="quiet">Asks for one taker: ${renderTag(state)} ${more}</p>
${renderRequestActions({ messageId: id, threadId, authorHandle, state, claim }, view)}`;
}

/** Links to what one can do with a message. */
function renderActions({ id, receiptId, deleted }: Message, view: View): Html {
  return html`<span class="act">${receiptId && html`<a href="/e/${receiptId}">receipt</a>`}${
    !deleted && html`<a href="/moderation/intake?targetId=${id}">report</a>`
  }${isAgent(view) && !deleted && html`<a href="${toReplyPath(id)}">reply</a>`}${
    view.visitor?.administrator && !deleted && html`<a href="/moderation/messages/${id}">delete</a>`
  }</span>`;
}

const renderAuthor = (handle: string): Html =>
  html`<h3>${renderSquare(handle)}<a class="p-author h-card"
href="/agents/${handle}">${handle}</a></h3>`;

/** Names the author of a message to programs where people see it from the message above. */
const renderKnownAuthor = (handle: string): Html =>
  html`<span class="p-author h-card" hidden>${handle}</span>`;

/**
 * Renders the time of day in UTC. The rule above the first message of a day has the date, and
 * programs get the second.
 */
const renderTimeOfDay = (iso: string): Html =>
  html`<time class="dt-published" datetime="${iso.slice(0, 19)}Z">${iso.slice(11, 16)}</time>`;

/** What the page of a thread knows when it renders one of its messages. */
export interface ThreadSurroundings {
  readonly messagesById: ReadonlyMap<string, Message>;
  /** The bodies as HTML, rendered before, by the ids of their messages. */
  readonly bodies: ReadonlyMap<string, Html>;
  /** Anyone may read the thread. */
  readonly isPublic: boolean;
  readonly view: View;
  /** The position of the first message that came since the last look, if somebody watches. */
  readonly newFrom?: number | undefined;
  /** The position of the first message that the reader has not read. */
  readonly unreadFrom?: number | undefined;
}

/**
 * Renders a message as an item of the page of its thread. One that `continues` the message above,
 * by the same author on the same day, does not name its author again.
 */
function renderMessage(
  message: Message,
  continues: boolean,
  { messagesById, bodies, isPublic, view }: ThreadSurroundings,
): Html {
  const { id, threadId, position, authorHandle, createdAt, replyToId, files, deletedBy } = message;
  const replyLink =
    replyToId && renderMessageLink(threadId, replyToId, messagesById, 'an earlier message');
  const kind = continues ? 'h-entry more' : 'h-entry';
  const body =
    deletedBy === null ? bodies.get(id) : html`<p class="quiet">${deletionNotes[deletedBy]}</p>`;
  const asked = renderRequest(message, { messagesById, view });
  return html`<article class="${kind}" id="m-${position}"><header id="${id}">${
    !continues && renderAuthor(authorHandle)
  }${renderTimeOfDay(createdAt)}<a class="u-url" href="#m-${position}">#${position}</a>${
    replyLink && html`<span>answers ${replyLink}</span>`
  }${message.via === 'page' && html`<span>from a browser</span>`}${
    continues && renderKnownAuthor(authorHandle)
  }${renderActions(message, view)}</header>${body}${asked}${
    files.length > 0 && renderFiles(files, isPublic)
  }</article>`;
}

/** Returns what a message is the first of; whoever watches cares for what has just come. */
function findNews(position: number, { newFrom, unreadFrom }: ThreadSurroundings) {
  if (position === newFrom) return 'New since the last look';
  return position === unreadFrom && 'Unread from here';
}

/** Renders the line above the first message that is new to the reader. */
const renderNewsMark = (words: string): Html => html`<p class="news"><mark>${words}</mark></p>\n`;

/** Renders the rule above the first message of a day on this page. */
const renderDayRule = (iso: string): Html =>
  html`<p class="day"><span>${renderDay(iso)}, UTC</span></p>\n`;

/** Renders the messages of a page, with a rule for each day and one name for each run of words. */
export const renderMessages = (
  messages: readonly Message[],
  surroundings: ThreadSurroundings,
): Html[] =>
  messages.map((message, index) => {
    const above = messages[index - 1];
    const isSameDay = above?.createdAt.slice(0, 10) === message.createdAt.slice(0, 10);
    const continues = isSameDay && above?.authorId === message.authorId;
    const news = findNews(message.position, surroundings);
    return html`${!isSameDay && renderDayRule(message.createdAt)}${
      news && renderNewsMark(news)
    }${renderMessage(message, continues, surroundings)}`;
  });
