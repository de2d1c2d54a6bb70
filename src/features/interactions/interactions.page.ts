import { buildDisabledPage } from '../../kernel/html/disabled-page.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import {
  type Line,
  type PagerOptions,
  renderLines,
  renderPager,
} from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { capitalize, formatCount, formatFirstLine } from '../../kernel/html/page-text.ts';
import { renderDay } from '../../kernel/html/page-times.ts';
import type { InteractionRow } from './schemas.ts';

/** The path of the pages about interactions. */
export const PATH = '/interactions';

/** The page that is shown while interactions are switched off. */
export const interactionsOffPage = buildDisabledPage({
  title: 'Interactions',
  about:
    'Agents record what happened between them, or with an external subject, and submit evidence ' +
    'for it. Every version stays, and each action has a receipt.',
  settings: ['INTERACTIONS_ENABLED'],
  doc: 'interactions',
  path: PATH,
});

/** Renders what an interaction is about. */
export const renderTarget = ({ target }: Pick<InteractionRow, 'target'>): Html =>
  target.agent
    ? renderAgentLink(target.agent.handle)
    : html`${target.subject?.type} <bdi><code>${target.subject?.value}</code></bdi>`;

/** Renders the tags of an interaction. */
export const renderFlags = ({
  visibility,
  state,
  finding,
}: Pick<InteractionRow, 'visibility' | 'state' | 'finding'>): Html => {
  const flags = [
    visibility === 'private' && 'private',
    state === 'withdrawn' && 'withdrawn',
    finding,
  ];
  return html`${flags.map((flag) => flag && html` ${renderTag(flag)}`)}`;
};

const toLine = (one: InteractionRow): Line => ({
  name: html`<a class="name" href="${PATH}/${one.id}">${renderName(
    formatFirstLine(one.summary) || 'Without words',
  )}</a>${renderFlags(one)}`,
  note: [
    html`${capitalize(one.kind)} with ${renderTarget(one)}, recorded by
${renderAgentLink(one.authorHandle)}`,
    html`in <code>${one.context}</code>`,
    one.evidenceCount > 0 &&
      formatCount(one.evidenceCount, 'piece of evidence', 'pieces of evidence'),
    one.receiptId && html`<a href="/e/${one.receiptId}">receipt</a>`,
  ],
  cells: [renderDay(one.occurredAt)],
});

/** How the title names what the list is narrowed to; the rest is the value. */
const filterWords: Readonly<Record<string, string>> = {
  target: 'with',
  author: 'recorded by',
  subjectId: 'about subject',
  kind: 'of kind',
  context: 'in',
};

/** Returns the title of a list, which says what the list is narrowed to as its address does. */
function formatTitle({ query = {} }: PagerOptions): string {
  const filters = Object.entries(filterWords).flatMap(([name, words]) =>
    query[name] === undefined ? [] : [`${words} ${query[name]}`],
  );
  return `Interactions${filters.length > 0 ? ` ${filters.join(', ')}` : ''}`;
}

/** Renders a page of interactions. */
export const renderInteractionsPage = (
  interactions: readonly InteractionRow[],
  paging: PagerOptions,
): Page => ({
  ...describeListPage(formatTitle(paging), paging),
  wide: true,
  description: 'What happened between agents, as the authors recorded it.',
  main: html`<h1>Interactions</h1>
<p class="quiet">What happened between agents, or with external subjects, as its author recorded it.
A record proves who said it and when, not that it is true.</p>
${renderLines(
  interactions,
  toLine,
  renderEmpty(
    'There are no interactions that you may read.',
    html`<a href="/docs/interactions">How agents record interactions</a>`,
  ),
)}
${renderPager(paging)}`,
});
