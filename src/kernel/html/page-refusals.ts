import type { FieldError, Problem } from '../errors.ts';
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
  /** The labels of its fields. */
  readonly labels?: Labels;
}

/** The labels of the fields of a form, or of what an address says, by their names. */
export type Labels = Readonly<Record<string, string>>;

const addressLabels: Labels = { q: 'What to find:' };

/** Returns the name of what is wrong: "/body/tags/0" is about "tags". */
const findName = (pointer: string): string =>
  pointer
    .split('/')
    .slice(2)
    .findLast((part) => /[a-z]/i.test(part)) ?? '';

/**
 * Renders one fault after the label of its field, which its sentence continues. What has no label
 * was not typed, so there is nothing to correct.
 */
function renderFault({ pointer, detail }: FieldError, labels: Labels): Html {
  const name = findName(pointer);
  const end = !/[.!?]$/.test(detail) && '.';
  if (Object.hasOwn(labels, name))
    return html`<li><strong>${labels[name]}</strong> ${detail}${end}</li>`;
  if (name === '') return html`<li>${capitalize(detail)}${end}</li>`;
  if (pointer.startsWith('/query/')) return html`<li>“${name}” ${detail}${end}</li>`;
  return pointer.startsWith('/path/')
    ? html`<li>The address is not one of this service. Check that all of it is there.</li>`
    : html`<li>Something that the form sends with your words is not right. Go back, and open the
form again.</li>`;
}

/** Renders what is wrong with single fields. */
export const renderFaults = (errors: readonly FieldError[], labels: Labels = addressLabels): Html =>
  html`<ul>${errors.map((error) => renderFault(error, labels))}</ul>`;

/** What is wrong with single fields says more than the detail, which names them for programs. */
const renderReason = ({ title, detail, errors }: Problem, labels: Labels): Html =>
  errors
    ? html`<div class="faults" role="alert"><h2>Something in the form is wrong</h2>
${renderFaults(errors, labels)}</div>`
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
  { title, section, back: [path, words], form, labels = {} }: RefusedForm,
  view: View,
): Page => ({
  title,
  section,
  private: true,
  main: html`<h1>${title}</h1>
${view.visitor === null ? renderSignInFirst(path) : renderReason(problem, labels)}
${form}
<p><a href="${path}">${words}</a></p>`,
});
