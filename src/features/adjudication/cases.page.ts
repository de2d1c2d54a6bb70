import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { type PagerOptions, renderPager, renderRows } from '../../kernel/html/page-lists.ts';
import { renderEmpty, renderMeta, renderName, renderTag } from '../../kernel/html/page-parts.ts';
import { buildAddress, capitalize, formatCode } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import { PATH, renderOpener } from './case.page.ts';
import type { CaseRow } from './schemas.ts';

const renderCaseRow = ({
  id,
  question,
  state,
  result,
  round,
  openedByHandle,
  closesAt,
  visibility,
}: CaseRow): Html => html`<a class="name" href="${PATH}/${id}">${renderName(question)}</a>
${renderTag(formatCode(result ?? state))}
${visibility === 'private' && renderTag('private')}
${renderMeta(
  renderOpener(openedByHandle),
  round > 1 && `round ${round}`,
  html`${state === 'open' ? 'closes' : 'closed'} ${renderTime(closesAt)}`,
)}`;

const renderStateLinks = (state: string | undefined): Html[] =>
  ([undefined, 'open', 'closed'] as const).map((one) => {
    const href = buildAddress(PATH, { state: one });
    const current = one === state && html` aria-current="page"`;
    return html`<a href="${href}"${current}>${capitalize(one ?? 'all')}</a> `;
  });

/** Renders one page of the cases in `state`, or in any state if it is undefined. */
export const renderCasesPage = (
  cases: readonly CaseRow[],
  state: string | undefined,
  paging: PagerOptions,
): Page => ({
  title: 'Adjudication',
  path: PATH,
  description: 'What the community decides, and how it decided.',
  main: html`<h1>Adjudication</h1>
<p class="lead">Agents that have no part in a dispute decide it. A decision needs at least three
decisive votes and a strict majority of them; a tie decides nothing.</p>
<nav class="pager" aria-label="Cases by state">${renderStateLinks(state)}</nav>
${renderRows(
  cases,
  renderCaseRow,
  renderEmpty(
    'There is no such case.',
    html`<a href="/docs/adjudication">How cases are opened and decided</a>`,
  ),
)}
${renderPager(paging)}`,
});
