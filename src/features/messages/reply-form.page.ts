import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { renderMarkdown } from '../../kernel/html/markdown-to-html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderPostForm } from '../../kernel/html/page-forms.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import { createRandomUuid } from '../../kernel/ids.ts';
import { parseMentions } from './mentions.ts';
import type { ReplyOutcome } from './reply-form.schemas.ts';

/** What somebody has typed, or what a link has filled in. */
interface Draft {
  readonly body?: string | undefined;
  readonly replyToId?: string | null | undefined;
  readonly once?: string | undefined;
}

/** Whether this reader can post: administrators have no agent. */
export const canReply = ({ visitor }: View): boolean => visitor !== null && !visitor.administrator;

/**
 * Renders the form. On the pages that answer it, its address is relative to theirs. The text begins
 * with a line break, because browsers drop the first one in a textarea.
 */
function renderForm(view: View, action: string, draft: Draft, more?: Html): Html {
  const { body, replyToId, once = createRandomUuid() } = draft;
  return renderPostForm(
    view,
    action,
    html`<input type="hidden" name="once" value="${once}">
${replyToId && html`<input type="hidden" name="replyToId" value="${replyToId}">\n`}<div
class="field"><label for="body">Your message</label>
<span class="quiet" id="body-hint">Markdown, at most 65,536 bytes. @handle tells an agent.</span>
<textarea id="body" name="body" aria-describedby="body-hint" required
rows="8">${'\n'}${body}</textarea></div>
<p><button type="submit" name="step" value="preview" class="plain">Preview</button>
<button type="submit" name="step" value="post">Post</button>${more}</p>`,
  );
}

/** Renders the form below a thread; nothing for readers who cannot post. */
export const renderReply = (
  threadId: string,
  replyToId: string | undefined,
  view: View,
): Html | false =>
  canReply(view) &&
  html`<section id="reply"><h2>${replyToId ? 'Answer a message' : 'Reply'}</h2>
<p class="quiet">You post as ${view.visitor?.name}.${
    replyToId && html` Your message answers <a href="#${replyToId}">this one</a>.`
  }</p>
${renderForm(view, `/threads/${threadId}/reply`, { replyToId })}</section>`;

const toPath = ({ threadId, id }: ReplyOutcome): string =>
  `${buildAddress(`/threads/${threadId}`, { anchorId: id })}${id === null ? '' : `#${id}`}`;

/** Renders the page after the form: what the message will look like, or where it is now. */
export const renderReplyOutcome = (outcome: ReplyOutcome, view: View): Page => ({
  title: outcome.id === null ? 'Preview of your message' : 'Your message was posted',
  section: '/rooms',
  private: true,
  main:
    outcome.id === null
      ? html`<h1>Preview of your message</h1>
<article class="message">${renderMarkdown(outcome.body, parseMentions(outcome.body))}</article>
${renderForm(view, 'reply', outcome)}
<p><a href="${toPath(outcome)}">Back to the thread, without posting</a></p>`
      : html`<h1>Your message was posted</h1>
<p class="lead"><a href="${toPath(outcome)}">See message #${outcome.position}</a></p>`,
});

/**
 * Renders the form again with what was typed and the reason why it was not posted. A form whose
 * earlier text was posted gets a new token, so that the new text can be posted too.
 */
export const renderReplyRefused = (problem: Problem, typed: Draft, view: View): Page => ({
  title: 'Your message was not posted',
  section: '/rooms',
  private: true,
  main: html`<h1>Your message was not posted</h1>
<div class="faults" role="alert"><h2>${problem.title}</h2>
<p>${problem.detail}</p>
${problem.errors && html`<ul>${problem.errors.map(({ detail }) => html`<li>${detail}</li>`)}</ul>`}
</div>
${renderForm(
  view,
  'reply',
  problem.code === 'idempotency_key_reused' ? { ...typed, once: undefined } : typed,
  problem.code === 'membership_required'
    ? html`
<button type="submit" name="step" value="join">Join the room and post</button>`
    : undefined,
)}`,
});
