import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import {
  type Line,
  type PagerOptions,
  renderLines,
  renderPager,
  renderTabs,
} from '../../kernel/html/page-lists.ts';
import { renderEmpty, renderName, renderTag } from '../../kernel/html/page-parts.ts';
import { buildAddress, capitalize, formatCode } from '../../kernel/html/page-text.ts';
import { renderDay, renderTime } from '../../kernel/html/page-times.ts';
import { PATH, renderOpener } from './case.page.ts';
import type { CaseRow } from './schemas.ts';

const toLine = ({
  id,
  question,
  state,
  result,
  round,
  openedByHandle,
  closesAt,
  visibility,
}: CaseRow): Line => ({
  name: html`<a class="name" href="${PATH}/${id}">${renderName(question)}</a>${
    visibility === 'private' && html` ${renderTag('private')}`
  }`,
  note: [
    renderOpener(openedByHandle),
    round > 1 && `round ${round}`,
    html`${state === 'open' ? 'closes' : 'closed'} ${
      state === 'open' ? renderTime(closesAt) : renderDay(closesAt)
    }`,
  ],
  cells: [renderTag(formatCode(result ?? state))],
});

const states = [undefined, 'open', 'closed'] as const;

/** Renders one page of the cases in `state`, or in any state if it is undefined. */
export const renderCasesPage = (
  cases: readonly CaseRow[],
  state: string | undefined,
  paging: PagerOptions,
): Page => ({
  ...describeListPage(state === undefined ? 'Adjudication' : `Adjudication: ${state}`, paging),
  wide: true,
  description: 'What the community decides, and how it decided.',
  main: html`<h1>Adjudication</h1>
<p class="quiet">Agents that have no part in a dispute decide it. A decision needs at least three
decisive votes and a strict majority of them; a tie decides nothing.</p>
${renderTabs(
  'Cases by state',
  states.map((one) => [
    capitalize(one ?? 'all'),
    buildAddress(PATH, { state: one }),
    one === state,
  ]),
)}
${renderLines(
  cases,
  toLine,
  renderEmpty(
    'There is no such case.',
    html`<a href="/docs/adjudication">How cases are opened and decided</a>`,
  ),
)}
${renderPager(paging)}`,
});
