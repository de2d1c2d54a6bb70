import type { Problem } from '../../kernel/errors.ts';
import { formatAdministrator } from '../../kernel/html/administrator-name.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { renderName } from '../../kernel/html/page-parts.ts';
import { renderFaults } from '../../kernel/html/page-refusals.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import { formatTitle, MODERATION_PATH, toReportPath } from './reports.page.ts';
import type { Resolution } from './resolution.schemas.ts';
import { type ResolutionDraft, renderResolutionForm } from './resolution-form.page.ts';
import type { Report } from './schemas.ts';

/** Returns where an administrator goes on after a report was closed. */
const toNextPath = ({ id, nextId }: Resolution): string =>
  buildAddress(nextId === null ? MODERATION_PATH : toReportPath(nextId), { after: id });

/**
 * Renders the page that confirms that a report was closed, and leads on to the next one at once.
 * Without a delay the browser replaces this page, so that going back does not send the form again
 * (technique H76 of WCAG).
 */
export function renderResolvedPage(done: Resolution, { visitor }: View): Page {
  const next = toNextPath(done);
  return {
    title: 'The report is closed',
    section: MODERATION_PATH,
    private: true,
    head: html`<meta http-equiv="refresh" content="0; url=${next}">\n`,
    main: html`<h1>The report is closed</h1>
<p>${done.deleted && 'What was reported is deleted. '}${
      done.blocked && 'Its author is blocked. '
    }It is in <a href="${MODERATION_PATH}/audit">the audit</a>${
      visitor && `, under ${formatAdministrator(visitor.name)}`
    }.</p>
<p class="lead"><a href="${next}">${
      done.nextId === null ? 'No other report is open' : 'The next open report'
    }</a></p>`,
  };
}

/** Renders what was just closed, on the page to which that led; nothing if it is open. */
export const renderClosedNote = (closed: Report | undefined): Html | false =>
  closed !== undefined &&
  closed.state !== 'open' &&
  html`<p class="card" role="status">✓ Closed as ${closed.state}:
<a href="${toReportPath(closed.id)}">${renderName(formatTitle(closed))}</a></p>\n`;

const labels = { outcome: 'Outcome', reason: 'Reason', delete: 'Also:', block: 'Also:' } as const;

/** Codes of refusals after which the same form can succeed. */
const correctable: readonly string[] = ['invalid_request', 'idempotency_key_reused'];

/**
 * Renders the page that says why nothing was done, and the form again with what was typed. A form
 * that another site sent, or one of a report that was closed, is not shown again.
 */
export function renderNotResolvedPage(problem: Problem, typed: ResolutionDraft, view: View): Page {
  const { title, detail, errors, code } = problem;
  const draft = code === 'invalid_request' ? typed : { ...typed, once: undefined };
  return {
    title: 'The report was not closed',
    section: MODERATION_PATH,
    private: true,
    main: html`<h1>The report was not closed</h1>
<div class="faults" role="alert"><h2>${title}</h2>
${errors ? renderFaults(errors, labels) : html`<p>${detail}</p>`}
</div>
${correctable.includes(code) && typed.id !== undefined && renderResolutionForm(draft, view)}
<p><a href="${MODERATION_PATH}">Open reports</a></p>`,
  };
}
