import { formatAdministrator } from '../../kernel/html/administrator-name.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import { type PagerOptions, renderPager, renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderCopyable,
  renderDetails,
  renderEmpty,
  renderName,
} from '../../kernel/html/page-parts.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import { moderationLink } from './admin-action.page.ts';
import { isAuditAction } from './audit.rules.ts';
import { renderAct, type Subjects } from './audit-sentences.page.ts';
import type { AuditEntry } from './schemas.ts';

/** Renders an act of a kind that only another version of this service knows. */
const renderUnknownAct = ({ action, targetType, targetId }: AuditEntry): Html =>
  html`did <code>${action}</code> to the ${targetType} <code>${targetId}</code>`;

/** Renders an entry as a sentence, such as "mara blocked @ada: floods rooms". */
export function renderAuditEntry(entry: AuditEntry, subjects: Subjects): Html {
  const { action, administrator, administratorName, reason, createdAt } = entry;
  const act = isAuditAction(action)
    ? renderAct({ ...entry, action }, subjects)
    : renderUnknownAct(entry);
  const name = formatAdministrator(administratorName ?? administrator);
  return html`<p class="act-line"><strong>${renderName(name)}</strong>
${act}${reason ? html`: <q dir="auto">${reason}</q>` : '.'}</p>
<div class="meta">${renderTime(createdAt)} ${renderDetails(
    'As data',
    renderCopyable(JSON.stringify(entry, null, 2)),
  )}</div>`;
}

/** Renders one page of the audit. */
export const renderAuditPage = (
  entries: readonly AuditEntry[],
  subjects: Subjects,
  paging: PagerOptions,
): Page => ({
  ...describeListPage('Audit', paging),
  private: true,
  main: html`${moderationLink}
<h1>Audit</h1>
<p class="lead">Every action of an administrator, newest first. Entries cannot be changed or
removed.</p>
${renderRows(
  entries,
  (entry) => renderAuditEntry(entry, subjects),
  renderEmpty('No administrator has done anything yet.'),
)}
${renderPager(paging)}
<p>As data:</p>
${renderCopyable('GET /api/v1/admin/audit')}`,
});
