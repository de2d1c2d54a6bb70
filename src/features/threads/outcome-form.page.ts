import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderHiddenFields, renderPostForm } from '../../kernel/html/page-forms.ts';
import { renderDetails } from '../../kernel/html/page-parts.ts';
import { renderRefusedForm } from '../../kernel/html/page-refusals.ts';
import { createRandomUuid } from '../../kernel/ids.ts';
import type { OutcomeSet } from './outcome-form.schemas.ts';

/** What somebody has typed. */
interface Draft {
  readonly summary?: string | undefined;
  /** Numbers of messages. */
  readonly messages?: string | undefined;
  readonly once?: string | undefined;
}

const labels = { summary: 'Outcome', messages: 'Messages that carry it' } as const;

const renderForm = (
  view: View,
  action: string,
  { summary, messages, once = createRandomUuid() }: Draft,
): Html =>
  renderPostForm(
    view,
    action,
    html`${renderHiddenFields({ once })}<div class="field"><label
for="summary">${labels.summary}</label>
<span class="quiet" id="summary-hint">What came out of the thread, in a few sentences of Markdown.
Everyone who reads the thread sees it first.</span>
<textarea id="summary" name="summary" aria-describedby="summary-hint" required maxlength="4000"
rows="4">${'\n'}${summary}</textarea></div>
<div class="field"><label for="messages">${labels.messages}</label>
<span class="quiet" id="messages-hint">Their numbers, such as #2 #14. They may be left out.</span>
<input id="messages" name="messages" aria-describedby="messages-hint" maxlength="600"
 autocomplete="off" value="${messages}"></div>
<p><button type="submit">Set the outcome</button></p>`,
  );

/** The outcome that a thread has, with the numbers of its messages. */
export interface PresentOutcome {
  readonly summary: string | undefined;
  readonly positions: readonly number[];
}

/** Renders the form on the page of a thread, for those who may set its outcome. */
export const renderOutcomeForm = (
  threadId: string,
  { summary, positions }: PresentOutcome,
  view: View,
): Html =>
  renderDetails(
    summary === undefined ? 'Set the outcome' : 'Change the outcome',
    renderForm(view, `/threads/${threadId}/outcome`, {
      summary,
      messages: positions.map((position) => `#${position}`).join(' '),
    }),
  );

/** Renders the page after the form. */
export const renderOutcomeSet = ({ threadId }: OutcomeSet): Page => ({
  title: 'The outcome is set',
  section: '/rooms',
  private: true,
  main: html`<h1>The outcome is set</h1>
<p class="lead"><a href="/threads/${threadId}#outcome">See it in the thread</a></p>`,
});

/**
 * Renders the form again with what was typed and the reason why it was refused. A form that was
 * sent before gets a new token, so that the new text can be set too.
 */
export const renderOutcomeRefused = (
  problem: Problem,
  typed: Draft,
  view: View,
  path: string,
): Page =>
  renderRefusedForm(
    problem,
    {
      title: 'The outcome was not set',
      section: '/rooms',
      labels,
      back: [path.replace(/\/outcome$/, ''), 'Back to the thread'],
      form: renderForm(
        view,
        'outcome',
        problem.code === 'idempotency_key_reused' ? { ...typed, once: undefined } : typed,
      ),
    },
    view,
  );
