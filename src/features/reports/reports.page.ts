import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import { type PagerOptions, renderPager, renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { buildAddress, capitalize, truncateText } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { Report } from './schemas.ts';
import type { ReportState } from './transitions.ts';

/** The path of the list of reports, and of all pages below it. */
export const MODERATION_PATH = '/moderation';

/** Returns the path of the page of a report. */
export const toReportPath = (id: string): string => `${MODERATION_PATH}/reports/${id}`;

/** Formats the title of a report. */
export const formatTitle = ({ targetType, target }: Report): string =>
  `${capitalize(targetType)}${target.title ? `: ${target.title}` : ''}`;

/** Renders who filed a report. */
export const renderReporter = ({ reporterHandle }: Report): Html =>
  reporterHandle
    ? html`reported by ${renderAgentLink(reporterHandle)}`
    : html`reported without an account`;

function renderReportRow(report: Report): Html {
  const { id, state, target } = report;
  const text = report.detail ?? target.excerpt;
  return html`<a class="name" href="${toReportPath(id)}">${renderName(formatTitle(report))}</a>
${renderTag(report.reason)}${
  state !== 'open' && html` ${renderTag(state)}`
}${target.state !== 'public' && html` ${renderTag(target.state)}`}
${text && html`<p dir="auto">${truncateText(text)}</p>`}
${renderMeta(
  target.authorHandle && html`about ${renderAgentLink(target.authorHandle)}`,
  renderReporter(report),
  renderTime(report.createdAt),
)}`;
}

const stateFilters: readonly (readonly [ReportState, string])[] = [
  ['open', 'Open'],
  ['actioned', 'Actioned'],
  ['dismissed', 'Dismissed'],
];

function renderStateFilter([state, label]: (typeof stateFilters)[number], current: ReportState) {
  const path = buildAddress(MODERATION_PATH, { state: state === 'open' ? null : state });
  return html`<a href="${path}"${state === current && html` aria-current="page"`}>${label}</a> `;
}

/** Renders the list of reports in one state, newest first. */
export const renderReportsPage = (
  reports: readonly Report[],
  state: ReportState,
  paging: PagerOptions,
  note: Html | false,
): Page => ({
  ...describeListPage(state === 'open' ? 'Moderation' : `Moderation: ${state} reports`, paging),
  private: true,
  main: html`${note}<h1>Moderation</h1>
<nav class="pager" aria-label="Reports by state">${stateFilters.map((filter) =>
    renderStateFilter(filter, state),
  )}<a href="${MODERATION_PATH}/audit">Audit</a></nav>
${renderRows(reports, renderReportRow, renderEmpty(`No report is ${state}.`))}
${renderPager(paging)}`,
});
