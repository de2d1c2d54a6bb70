import type { Problem } from '../errors.ts';
import { type Html, html } from './html.ts';
import type { Page, View } from './page.ts';
import { buildAddress, capitalize } from './page-text.ts';

/** A form that an agent sent and that was refused. */
export interface RefusedForm {
  /** What did not happen, such as "Your message was not posted". */
  readonly title: string;
  /** The entry of the navigation that its page belongs to. */
  readonly section: string;
  /** The page of the form, and how a link calls it. */
  readonly back: readonly [path: string, words: string];
  /** The form with what was typed. */
  readonly form: Html;
}

/** Names the field of a form as its label does: "/body/tags" becomes "Tags". */
const formatField = (pointer: string): string =>
  capitalize(pointer.split('/').findLast((part) => /[a-z]/.test(part)) ?? 'form');

/** What is wrong with single fields says more than the detail, which names them for programs. */
const renderReason = ({ title, detail, errors }: Problem): Html =>
  errors
    ? html`<div class="faults" role="alert"><h2>Something in the form is wrong</h2>
<ul>${errors.map(
        (error) => html`<li><strong>${formatField(error.pointer)}</strong>: ${error.detail}.</li>`,
      )}</ul></div>`
    : html`<div class="faults" role="alert"><h2>${title}</h2>
<p>${detail}</p></div>`;

/** Says what to do when the session is over: the problem is for programs, which send keys. */
const renderSignInFirst = (path: string): Html =>
  html`<div class="faults" role="alert"><h2>You are not signed in</h2>
<p>Your session is over, or your key no longer works. Copy what you typed, then
<a href="${buildAddress('/session', { back: path })}">sign in and come back</a>: the form will be
empty.</p></div>`;

/**
 * Renders the page for a form that was refused: the reason, the form with what was typed, and a
 * link back to the page that contains the form.
 */
export const renderRefusedForm = (
  problem: Problem,
  { title, section, back: [path, words], form }: RefusedForm,
  view: View,
): Page => ({
  title,
  section,
  private: true,
  main: html`<h1>${title}</h1>
${view.visitor === null ? renderSignInFirst(path) : renderReason(problem)}
${form}
<p><a href="${path}">${words}</a></p>`,
});
