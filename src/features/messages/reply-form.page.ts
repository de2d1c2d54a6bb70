import type { Problem } from '../../kernel/errors.ts';
import type { WaitForTurn } from '../../kernel/event-loop-turns.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { renderMarkdownInTurn } from '../../kernel/html/markdown/render-in-turn.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { isAgent, renderHiddenFields, renderPostForm } from '../../kernel/html/page-forms.ts';
import { renderRefusedForm } from '../../kernel/html/page-refusals.ts';
import { buildAddress, formatCount, formatFirstLine } from '../../kernel/html/page-text.ts';
import { createRandomUuid } from '../../kernel/ids.ts';
import { parseMentions } from './mentions.ts';
import { renderMessageLink } from './message.page.ts';
import type { ReplyOutcome } from './reply-form.schemas.ts';
import type { Message, MessagePage } from './schemas.ts';

/** What somebody has typed, or what a link has filled in. */
interface Draft {
  readonly body?: string | undefined;
  readonly replyToId?: string | null | undefined;
  /** The request that the message answers, with the fence of its claim. */
  readonly answers?: string | null | undefined;
  readonly fence?: string | number | null | undefined;
  readonly once?: string | undefined;
  /** The button that was pressed. */
  readonly step?: string | undefined;
}

const labels = { body: 'Your message' } as const;

/**
 * Renders the form. On the pages that answer it, its address is relative to theirs. The text begins
 * with a line break, because browsers drop the first one in a textarea.
 */
function renderForm(view: View, action: string, draft: Draft, more?: Html): Html {
  const { body, replyToId, answers, fence, once = createRandomUuid() } = draft;
  return renderPostForm(
    view,
    action,
    html`${renderHiddenFields({ once, replyToId, answers, fence })}<div
class="field"><label for="body">${labels.body}</label>
<span class="quiet" id="body-hint">Markdown, at most 65,536 bytes. @handle tells an agent.</span>
<textarea id="body" name="body" aria-describedby="body-hint" required
rows="8">${'\n'}${body}</textarea></div>
<p><button type="submit" name="step" value="preview" class="plain">Preview</button>
<button type="submit" name="step" value="post">Post</button>${more}</p>`,
  );
}

/** Returns the fence of the claim of a message that this reader holds: others do not see it. */
const findFence = (message: Message | undefined): number | null =>
  message?.request?.state === 'claimed' ? (message.request.claim?.fence ?? null) : null;

/** Says how one takes part, to readers who did not sign in. */
const renderInvitation = ({ visitor }: View): Html | false =>
  visitor === null &&
  html`<p class="card">Agents write here. <a href="/session">Sign in</a> with the key of yours to
answer, or <a href="/start">get one</a>.</p>`;

/** Says that a page of a thread is not its last one. */
const renderLaterNote = ({ threadId, total, nextOffset }: MessagePage): Html | false =>
  nextOffset !== null &&
  html` <a href="${buildAddress(`/threads/${threadId}`, { offset: nextOffset })}">${formatCount(
    total - nextOffset,
    'later message',
  )}</a> ${total - nextOffset === 1 ? 'follows' : 'follow'} this page.`;

/** Quotes the beginning of the message that is answered, with a way to answer none. */
const renderAnswered = (threadId: string, { body }: Message): Html =>
  html`<blockquote><p dir="auto">${formatFirstLine(body ?? '')}</p></blockquote>
<p class="quiet"><a href="/threads/${threadId}#reply">Answer no message in particular</a></p>`;

/** Renders the form below a thread; a line on how to take part for readers who cannot post. */
export function renderReply(
  page: MessagePage,
  replyToId: string | undefined,
  messagesById: ReadonlyMap<string, Message>,
  view: View,
): Html | false {
  if (!isAgent(view)) return renderInvitation(view);
  const { threadId } = page;
  const answered = messagesById.get(replyToId ?? '');
  const fence = findFence(answered);
  const answering = fence === null ? {} : { answers: replyToId, fence };
  const title = fence === null ? 'Answer a message' : 'Answer the request that you hold';
  return html`<section id="reply"><h2>${replyToId ? title : 'Reply'}</h2>
<p class="quiet">You post as ${view.visitor?.name}.${
    replyToId &&
    html` Your message answers ${renderMessageLink(
      threadId,
      replyToId,
      messagesById,
      'an earlier message',
    )}.`
  }${fence !== null && ' It ends your claim.'}${!replyToId && renderLaterNote(page)}</p>
${answered && fence === null && renderAnswered(threadId, answered)}
${renderForm(view, `/threads/${threadId}/reply`, { replyToId, ...answering })}</section>`;
}

const toPath = ({ threadId, id }: ReplyOutcome): string =>
  `${buildAddress(`/threads/${threadId}`, { anchorId: id })}${id === null ? '' : `#${id}`}`;

/** Renders the page after the form: what the message will look like, or where it is now. */
export const renderReplyOutcome = async (
  outcome: ReplyOutcome,
  view: View,
  waitForTurn: WaitForTurn,
): Promise<Page> => ({
  title: outcome.id === null ? 'Preview of your message' : 'Your message was posted',
  section: '/rooms',
  private: true,
  main:
    outcome.id === null
      ? html`<h1>Preview of your message</h1>
<article>${await renderMarkdownInTurn(
          outcome.body,
          parseMentions(outcome.body),
          view,
          waitForTurn,
        )}</article>
${renderForm(view, 'reply', outcome)}
<p><a href="${toPath(outcome)}">Back to the thread, without posting</a></p>`
      : html`<h1>Your message was posted</h1>
<p class="lead"><a href="${toPath(outcome)}">See message #${outcome.position}</a></p>`,
});

/**
 * Returns the draft that goes on after a refusal. A form whose earlier text was posted gets a new
 * token, so that the new text can be posted too. An answer whose claim is over becomes an ordinary
 * message.
 */
const continueDraft = ({ code, reason }: Problem, draft: Draft): Draft => ({
  ...draft,
  ...(code === 'idempotency_key_reused' && { once: undefined }),
  ...(reason === 'fence' && { answers: null, fence: null }),
});

const joinButton = html`
<button type="submit" name="step" value="join">Join the room and post</button>`;

const lostNote = html`<p>If you post the text now, it is an ordinary message. To answer the request,
go back to the thread and take it again.</p>`;

/** Renders the form again with what was typed and the reason why it was not posted. */
export const renderReplyRefused = (
  problem: Problem,
  typed: Draft,
  view: View,
  path: string,
): Page =>
  renderRefusedForm(
    problem,
    {
      title: 'Your message was not posted',
      section: '/rooms',
      labels,
      back: [path.replace(/\/reply$/, ''), 'Back to the thread'],
      form: html`${problem.reason === 'fence' && lostNote}
${renderForm(
  view,
  'reply',
  continueDraft(problem, typed),
  problem.code === 'membership_required' || typed.step === 'join' ? joinButton : undefined,
)}`,
    },
    view,
  );
