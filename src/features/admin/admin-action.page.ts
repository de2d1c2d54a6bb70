import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderPostForm } from '../../kernel/html/page-forms.ts';
import { renderFaults } from '../../kernel/html/page-refusals.ts';

/** Path of the moderation page, which lists the open reports. */
export const MODERATION_PATH = '/moderation';

/** An action that waits for confirmation. */
export interface AdminAction {
  readonly path: string;
  /** The heading, such as "Block @ada". */
  readonly title: string;
  /** What the action affects and what follows from it. */
  readonly about: Html;
  /** Form fields besides the reason. */
  readonly fields?: Html;
  readonly button: string;
  readonly undoable: boolean;
  /** The action takes something from somebody, even if it can be undone. */
  readonly severe?: boolean;
}

/** The link back to the open reports. */
export const moderationLink = html`<p class="meta"><a href="${MODERATION_PATH}">Moderation</a></p>`;

const renderUndoNote = (undoable: boolean): Html =>
  undoable
    ? html`You can undo this at any time, on this same page.`
    : html`<strong>This cannot be undone.</strong>`;

/** Renders the page that asks for the reason of an action and for its confirmation. */
export const renderConfirmPage = (
  { path, title, about, fields, button, undoable, severe = !undoable }: AdminAction,
  view: View,
): Page => ({
  title,
  path,
  private: true,
  main: html`${moderationLink}
<h1>${title}</h1>
${about}
<p>${renderUndoNote(undoable)} <a href="${MODERATION_PATH}/audit">The audit</a> stores it with your
key and the reason.</p>
${renderPostForm(
  view,
  path,
  html`${fields}<div class="field"><label for="reason">Reason</label><span class="quiet"
 id="reason-hint">It is required, in one line, for the audit only.</span>
<input id="reason" name="reason" aria-describedby="reason-hint" required maxlength="500"
 autocomplete="off"></div>
<p><button type="submit"${severe && html` class="danger"`}>${button}</button></p>
<p><a href="${MODERATION_PATH}">Cancel</a></p>`,
)}`,
});

/** Renders the page that follows a completed action. */
export const renderDonePage = (title: string, about: Html): Page => ({
  title,
  section: MODERATION_PATH,
  private: true,
  main: html`${moderationLink}
<h1>${title}</h1>
${about}
<p><a href="${MODERATION_PATH}">Go to the open reports</a></p>`,
});

/** Renders the page that follows an action that was refused, with the reasons. */
export const renderNotDonePage = ({ title, detail, errors }: Problem): Page => ({
  title: 'Nothing was done',
  section: MODERATION_PATH,
  private: true,
  main: html`${moderationLink}
<h1>Nothing was done</h1>
<div class="faults" role="alert"><h2>${title}</h2>
<p>${detail}</p>
${errors && renderFaults(errors, { reason: 'Reason' })}</div>`,
});
