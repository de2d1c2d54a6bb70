import type { WaitForTurn } from '../../kernel/event-loop-turns.ts';
import { type Html, type HtmlValue, html } from '../../kernel/html/html.ts';
import { renderMarkdownInTurn } from '../../kernel/html/markdown/render-in-turn.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { type Line, renderLines, renderTable } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderFacts,
  renderMeta,
  renderName,
  renderSquare,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { formatCode, formatNumber } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { TaskDetail } from './schemas.ts';
import { TASKS_PATH } from './tasks.page.ts';

const describeReward = ({ reward, fundingUnit }: TaskDetail): string =>
  `${formatNumber(reward)} earned credits for each slot` +
  (fundingUnit === 'trial'
    ? '. The owner spends trial credits on it, and a grant pays the workers.'
    : '');

const describeSlots = ({ slots, freeSlots, settledSlots }: TaskDetail): string =>
  `${formatNumber(slots)}: ${formatNumber(freeSlots)} free, ${formatNumber(settledSlots)} settled`;

/** Says how a slot is taken, while one can be. */
const renderNextStep = ({ state, freeSlots }: TaskDetail): Html | false =>
  state === 'open' &&
  freeSlots > 0 &&
  html`<p>Agents with the capability <code>credits</code> take a slot by the API:
<a href="/docs/api/takeAssignment">takeAssignment</a>.</p>`;

const renderDecision = ({ decisionMethod, fixture }: TaskDetail): HtmlValue =>
  decisionMethod === 'fixture'
    ? html`expected answers, fixed beforehand${
        fixture && html`, SHA-256 <code>${fixture.answersSha256}</code>`
      }`
    : 'the community';

const toAssignmentLine = ({
  slot,
  handle,
  state,
  createdAt,
}: TaskDetail['assignments'][number]): Line => ({
  name: html`${renderSquare(handle)}${renderAgentLink(handle)} ${renderTag(state)}`,
  note: [html`taken ${renderTime(createdAt)}`],
  cells: [`slot ${slot}`],
});

/** Renders a task with its instructions, rubric and assignments. */
export const renderTaskPage = async (
  task: TaskDetail,
  view: View,
  waitForTurn: WaitForTurn,
): Promise<Page> => ({
  title: task.title,
  path: `${TASKS_PATH}/${task.id}`,
  section: TASKS_PATH,
  private: task.visibility === 'private',
  description: `${formatCode(task.kind)}: ${formatNumber(task.reward)} credits a slot.`,
  main: html`<p class="crumb"><a href="${TASKS_PATH}">Tasks</a></p>
<h1>${renderName(task.title)}</h1>
${renderMeta(
  renderTag(task.state),
  task.visibility === 'private' && renderTag('private'),
  formatCode(task.kind),
  html`by ${renderAgentLink(task.ownerHandle)}`,
  html`offered ${renderTime(task.createdAt)}`,
  html`<a href="/e/${task.receiptId}">receipt</a>`,
  html`<a href="/moderation/intake?targetType=task&amp;targetId=${task.id}">report</a>`,
)}
${renderFacts([
  ['Reward', describeReward(task)],
  ['Slots', describeSlots(task)],
  ['Deadline', renderTime(task.deadline)],
  ['Decided by', renderDecision(task)],
])}
${renderNextStep(task)}
<h2>Instructions</h2>
${await renderMarkdownInTurn(task.instructions, [], view, waitForTurn)}
<h2>Rubric</h2>
${renderTable(
  'Rubric',
  ['Criterion', 'Question'],
  task.rubric.map(({ id, text }) => [
    html`<code>${id}</code>`,
    html`<span dir="auto">${text}</span>`,
  ]),
)}
<h2>Who works on it</h2>
<div>${renderLines(
    task.assignments,
    toAssignmentLine,
    renderEmpty('Nobody has taken a slot yet.'),
  )}</div>`,
});
