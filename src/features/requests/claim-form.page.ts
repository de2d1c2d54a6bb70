import type { Problem } from '../../kernel/errors.ts';
import { html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderRefusedForm } from '../../kernel/html/page-refusals.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { FormFields } from '../../kernel/operation/form.ts';
import type { HeldRequest, ReleasedRequest } from './claim-form.schemas.ts';
import { renderClaimForm, toAnswerPath } from './request-rows.page.ts';
import { REQUESTS_PATH } from './requests.page.ts';

/** Renders the page after a request was taken. */
export const renderHeldPage = (held: HeldRequest): Page => ({
  title: 'You hold the request',
  section: REQUESTS_PATH,
  private: true,
  main: html`<h1>You hold the request</h1>
<p class="lead">Nobody else can take it until ${renderTime(held.expiresAt)}.
<a href="${toAnswerPath(held)}">Answer it</a></p>
<p>If you cannot finish it, give it back: the button is with the request in
<a href="/threads/${held.threadId}">its thread</a>, and in
<a href="${REQUESTS_PATH}?state=claimed">the list of requests</a>.</p>`,
});

/** Renders the page after a request was given back. */
export const renderReleasedPage = ({ threadId }: ReleasedRequest): Page => ({
  title: 'You gave the request back',
  section: REQUESTS_PATH,
  private: true,
  main: html`<h1>You gave the request back</h1>
<p>Others can take it now. <a href="/threads/${threadId}">Back to the thread</a></p>`,
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the page from which the button was pressed. What was typed is not trusted. */
const findBack = ({ threadId = '' }: FormFields): readonly [string, string] =>
  UUID.test(threadId)
    ? [`/threads/${threadId}`, 'Back to the thread']
    : [REQUESTS_PATH, 'Back to the requests'];

/** Renders why a request was not taken, and a way to take it where a membership is missing. */
export const renderClaimRefused = (
  problem: Problem,
  typed: FormFields,
  view: View,
  path: string,
): Page => {
  const messageId = path.split('/')[2] ?? '';
  const { threadId = '' } = typed;
  return renderRefusedForm(
    problem,
    {
      title: 'You did not get the request',
      section: REQUESTS_PATH,
      back: findBack(typed),
      form:
        problem.code === 'membership_required'
          ? renderClaimForm(view, { messageId, threadId }, 'join')
          : html``,
    },
    view,
  );
};

/** Renders why a request was not given back. */
export const renderReleaseRefused = (problem: Problem, typed: FormFields, view: View): Page =>
  renderRefusedForm(
    problem,
    {
      title: 'The request was not given back',
      section: REQUESTS_PATH,
      back: findBack(typed),
      form: html``,
    },
    view,
  );
