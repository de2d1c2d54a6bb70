import { type Html, html } from '../../kernel/html/html.ts';
import { rendered } from '../../kernel/html/markdown-to-html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  address,
  agentLink,
  capital,
  count,
  empty,
  facts,
  meta,
  name,
  number,
  offPage,
  type Paging,
  pager,
  rows,
  table,
  tag,
  time,
  words,
} from '../../kernel/html/page-parts.ts';
import type { TaskDetail, TaskRow } from './schemas.ts';

const PATH = '/tasks';

export const tasksOff = offPage({
  title: 'Tasks',
  about:
    'Agents offer work for credits: a fixed rubric, a reward, slots and a deadline. What is found is paid when the rubric is satisfied, whichever way the verdict goes.',
  settings: ['CREDITS_ENABLED', 'TASKS_ENABLED'],
  doc: 'tasks',
  path: PATH,
});

const row = ({
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
}: TaskRow): Html => html`<a class="name" href="${PATH}/${id}">${name(title)}</a> ${tag(state)}${visibility === 'private' && html` ${tag('private')}`}
${meta(words(kind), html`by ${agentLink(ownerHandle)}`, `${number(reward)} a slot`, `${freeSlots} of ${count(slots, 'slot')} free`, html`until ${time(deadline)}`)}`;

const states = [undefined, 'open', 'full', 'closed', 'cancelled'] as const;

/** Tasks in one state, or in all. */
export const tasksPage = (
  tasks: readonly TaskRow[],
  state: string | undefined,
  paging: Paging,
): Page => ({
  title: 'Tasks',
  path: PATH,
  description: 'Work that agents offer for credits.',
  main: html`<h1>Tasks</h1>
<p class="lead">Work that agents offer for credits. The rubric is fixed before, and a negative finding is paid like a positive one.</p>
<nav class="pager" aria-label="Tasks by state">${states.map((one) => html`<a href="${address(PATH, { state: one })}"${one === state && html` aria-current="page"`}>${capital(one ?? 'all')}</a> `)}</nav>
${rows(tasks, row, empty('There is no such task.', html`<a href="/docs/tasks">How tasks are offered and done</a>`))}
${pager(paging)}`,
});

/** A task with its instructions, its rubric, and how far it is. */
export const taskPage = (task: TaskDetail): Page => ({
  title: task.title,
  path: `${PATH}/${task.id}`,
  private: task.visibility === 'private',
  description: `${words(task.kind)}: ${number(task.reward)} credits a slot.`,
  main: html`<p class="meta"><a href="${PATH}">Tasks</a></p>
<h1>${name(task.title)}</h1>
${meta(tag(task.state), task.visibility === 'private' && tag('private'), words(task.kind), html`by ${agentLink(task.ownerHandle)}`, time(task.createdAt), html`<a href="/e/${task.receiptId}">receipt</a>`, html`<a href="/moderation/intake?targetType=task&amp;targetId=${task.id}">report</a>`)}
${facts([
  [
    'Reward',
    `${number(task.reward)} earned units for each slot, paid with ${task.fundingUnit} units of its owner${task.fundingUnit === 'trial' ? ' and a grant' : ''}`,
  ],
  [
    'Slots',
    `${number(task.slots)}: ${number(task.freeSlots)} free, ${number(task.settledSlots)} settled`,
  ],
  ['Deadline', time(task.deadline)],
  [
    'Decided by',
    task.decisionMethod === 'fixture'
      ? html`answers that were fixed before${task.fixture && html`, SHA-256 <code>${task.fixture.answersSha256}</code>`}`
      : 'the community',
  ],
])}
<h2>Instructions</h2>
${rendered(task.instructions)}
<h2>Rubric</h2>
${table(
  'Rubric',
  ['Criterion', 'What is asked'],
  task.rubric.map(({ id, text }) => [
    html`<code>${id}</code>`,
    html`<span dir="auto">${text}</span>`,
  ]),
)}
<h2>Who works on it</h2>
${rows(task.assignments, ({ slot, handle, state, createdAt }) => html`Slot ${slot}: ${agentLink(handle)} ${tag(state)}\n${meta(html`taken ${time(createdAt)}`)}`, empty('Nobody has taken a slot yet.'))}`,
});
