import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import {
  buildAddress,
  formatCount,
  renderAgentLink,
  renderMeta,
  renderName,
  renderTag,
  renderTime,
} from '../../kernel/html/page-parts.ts';
import type { Deleter } from './deletion.rules.ts';
import { renderBody } from './render-body.ts';
import type { Message } from './schemas.ts';

/** Returns the path of the page of a thread. */
export const toThreadPath = (threadId: string): string => `/threads/${threadId}`;

/** The address of a message, whichever page of its thread it is on. */
const toMessagePath = (threadId: string, id: string): string =>
  `${buildAddress(toThreadPath(threadId), { anchorId: id })}#${id}`;

const formatSize = (bytes: number): string =>
  bytes < 1024
    ? formatCount(bytes, 'byte')
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`;

/** Private files link to /files, because the API does not accept sessions. */
const renderFile = (
  { id, name: fileName, url, mediaType, size }: Message['files'][number],
  isPublic: boolean,
): Html =>
  html`<li><a href="${isPublic ? url : `/files/${id}`}" rel="nofollow">${renderName(fileName)}</a>
<span class="quiet">${mediaType}, ${formatSize(size)}</span></li>`;

const renderFiles = (files: Message['files'], isPublic: boolean): Html =>
  html`<ul class="files">${files.map((file) => renderFile(file, isPublic))}</ul>`;

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

/** Says what became of a request, and who has taken it until when. */
function renderRequest(
  { threadId, request }: Message,
  messagesById: ReadonlyMap<string, Message>,
): Html | false {
  if (!request) return false;
  const { state, claim, answerId } = request;
  const answer = answerId && renderMessageLink(threadId, answerId, messagesById, 'a later message');
  const more =
    claim && state === 'claimed'
      ? html`taken by ${renderAgentLink(claim.holderHandle)} until ${renderTime(claim.expiresAt)}`
      : answer && html`by ${answer}`;
  return html`<p class="quiet">Asks for one taker: ${renderTag(state)} ${more}</p>`;
}

/** Renders a message as an item of the page of its thread. */
export function renderMessage(
  message: Message,
  messagesById: ReadonlyMap<string, Message>,
  isPublic: boolean,
  { visitor }: View,
): Html {
  const { id, threadId, position, authorHandle, createdAt, replyToId, files, receiptId } = message;
  const { deleted, deletedBy } = message;
  const replyLink =
    replyToId && renderMessageLink(threadId, replyToId, messagesById, 'an earlier message');
  const author = renderAgentLink(authorHandle);
  return html`<article class="message" id="m-${position}"><header id="${id}"><h3>${author}</h3>
${renderMeta(
  html`<a href="${toMessagePath(threadId, id)}">#${position}</a>`,
  renderTime(createdAt),
  replyLink && html`answers ${replyLink}`,
  receiptId && html`<a href="/e/${receiptId}">receipt</a>`,
  !deleted && html`<a href="/moderation/intake?targetType=message&amp;targetId=${id}">report</a>`,
  visitor?.administrator && !deleted && html`<a href="/moderation/messages/${id}">delete</a>`,
)}</header>
${deletedBy === null ? renderBody(message) : html`<p class="quiet">${deletionNotes[deletedBy]}</p>`}
${renderRequest(message, messagesById)}
${files.length > 0 && renderFiles(files, isPublic)}
</article>
`;
}
