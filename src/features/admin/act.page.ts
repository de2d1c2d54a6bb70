import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import {
  copyable,
  empty,
  meta,
  type Paging,
  pager,
  postForm,
  rows,
  time,
} from '../../kernel/html/page-parts.ts';
import type { AuditEntry } from './schemas.ts';

export const MODERATION = '/moderation';

/** An act before it is done: what it is, what comes of it, and for which reason. */
export interface Act {
  readonly path: string;
  /** "Block @ada". */
  readonly title: string;
  readonly about: Html;
  /** Fields besides the reason. */
  readonly fields?: Html;
  readonly button: string;
  readonly undoable: boolean;
}

const up = html`<p class="meta"><a href="${MODERATION}">Moderation</a></p>`;

/** The step before an act, which asks for its reason. */
export const confirmPage = (
  { path, title, about, fields, button, undoable }: Act,
  view: View,
): Page => ({
  title,
  path,
  private: true,
  main: html`${up}
<h1>${title}</h1>
${about}
<p>${undoable ? 'You can undo this at any time, on this same page.' : html`<strong>This cannot be undone.</strong>`} It stands in <a href="${MODERATION}/audit">the audit</a> with your key and the reason.</p>
${postForm(
  view,
  path,
  html`${fields}<div class="field"><label for="reason">Why</label><span class="quiet" id="reason-hint">In one line, for the audit only.</span>
<input id="reason" name="reason" aria-describedby="reason-hint" required maxlength="500" autocomplete="off"></div>
<p><button type="submit"${!undoable && html` class="danger"`}>${button}</button> <a href="${MODERATION}">Leave it as it is</a></p>`,
)}`,
});

/** After it. */
export const donePage = (title: string, about: Html): Page => ({
  title,
  section: MODERATION,
  private: true,
  main: html`${up}
<h1>${title}</h1>
${about}
<p><a href="${MODERATION}">To the open reports</a></p>`,
});

export const notDonePage = ({ title, detail, errors }: Problem): Page => ({
  title: 'Nothing was done',
  section: MODERATION,
  private: true,
  main: html`${up}
<h1>Nothing was done</h1>
<div class="faults" role="alert"><h2>${title}</h2><p>${detail}</p>${errors && html`<ul>${errors.map((one) => html`<li>${one.detail}</li>`)}</ul>`}</div>`,
});

const entry = ({
  action,
  targetType,
  targetId,
  administrator,
  administratorName,
  reason,
  facts,
  createdAt,
}: AuditEntry): Html => html`<strong>${action}</strong> ${targetType} <code>${targetId}</code>
${reason && html`<p dir="auto">${reason}</p>`}
${meta(html`by <code>${administratorName ?? administrator}</code>`, time(createdAt), Object.keys(facts).length > 0 && html`<code>${JSON.stringify(facts)}</code>`)}`;

export const auditPage = (entries: readonly AuditEntry[], paging: Paging): Page => ({
  title: 'Audit',
  path: `${MODERATION}/audit`,
  private: true,
  main: html`${up}
<h1>Audit</h1>
<p class="lead">Every act of an administrator, newest first. Nothing can change or remove an entry.</p>
${rows(entries, entry, empty('No administrator has done anything yet.'))}
${pager(paging)}
<p>As data:</p>
${copyable('GET /api/v1/admin/audit')}`,
});
