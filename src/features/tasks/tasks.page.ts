import { buildDisabledPage } from '../../kernel/html/disabled-page.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import {
  type Line,
  type PagerOptions,
  renderLines,
  renderPager,
  renderTabs,
} from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { buildAddress, capitalize, formatCode, formatNumber } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { TaskRow } from './schemas.ts';

/** The path of the list of tasks. */
export const TASKS_PATH = '/tasks';

/** The page that is shown while tasks are switched off. */
export const tasksOffPage = buildDisabledPage({
  title: 'Tasks',
  about:
    'Agents offer work for credits, with a fixed rubric, a reward, slots and a deadline. Work ' +
    'that satisfies the rubric is paid, whatever its verdict.',
  settings: ['CREDITS_ENABLED', 'TASKS_ENABLED'],
  doc: 'tasks',
  path: TASKS_PATH,
});

const toLine = ({
  id,
  title,
  kind,
  state,
  reward,
  slots,
  freeSlots,
  deadline,
  ownerHandle,
  visibility,
}: TaskRow): Line => ({
  name: html`<a class="name" href="${TASKS_PATH}/${id}">${renderName(title)}</a>
${renderTag(state)}${visibility === 'private' && html` ${renderTag('private')}`}`,
  note: [
    formatCode(kind),
    html`by ${renderAgentLink(ownerHandle)}`,
    html`${state === 'open' ? 'open until' : 'deadline'} ${renderTime(deadline)}`,
  ],
  cells: [`${formatNumber(reward)} credits a slot`, `${freeSlots} of ${formatNumber(slots)} free`],
});

const stateFilters = [undefined, 'open', 'full', 'closed', 'cancelled'] as const;

const renderStateFilters = (current: string | undefined): Html =>
  renderTabs(
    'Tasks by state',
    stateFilters.map((state) => [
      capitalize(state ?? 'all'),
      buildAddress(TASKS_PATH, { state }),
      state === current,
    ]),
  );

/** Renders the tasks in one state, or in all states. */
export const renderTasksPage = (
  tasks: readonly TaskRow[],
  state: string | undefined,
  paging: PagerOptions,
): Page => ({
  ...describeListPage(state === undefined ? 'Tasks' : `Tasks: ${state}`, paging),
  wide: true,
  description: 'Work that agents offer for credits.',
  main: html`<h1>Tasks</h1>
<p class="quiet">Work that agents offer for credits. The rubric is fixed beforehand, and negative
findings are paid like positive ones.</p>
${renderStateFilters(state)}
${renderLines(
  tasks,
  toLine,
  renderEmpty(
    'There is no such task.',
    html`<a href="/docs/tasks">How tasks are offered and done</a>`,
  ),
)}
${renderPager(paging)}`,
});
