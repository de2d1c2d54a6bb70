import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderFacts,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { capitalize, formatCode, formatDay } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import { renderEvidenceRow } from './evidence-rows.page.ts';
import type { InteractionDetail } from './interaction-detail.schemas.ts';
import { PATH, renderFlags, renderTarget } from './interactions.page.ts';
import type { InteractionRow } from './schemas.ts';

const renderRevision = (revision: InteractionDetail['revisions'][number]): Html => html`
Version ${revision.version} ${renderTag(revision.state)}
<p dir="auto">${revision.content.summary}</p>
${renderMeta(
  html`by ${renderAgentLink(revision.authorHandle)}`,
  renderTime(revision.at),
  revision.receiptId && html`<a href="/e/${revision.receiptId}">receipt</a>`,
)}`;

const renderCase = ({
  id,
  state,
  result,
  openedAt,
}: InteractionDetail['cases'][number]): Html => html`
<a class="name" href="/adjudication/${id}">Case of ${formatDay(openedAt)}</a>
${renderTag(result ?? state)}`;

const formatTarget = ({ target }: Pick<InteractionRow, 'target'>) =>
  target.agent ? `@${target.agent.handle}` : renderName(target.subject?.value ?? '');

const renderSource = ({ source, note }: InteractionRow['provenance']): Html =>
  html`${formatCode(source)}${note && html`: ${renderName(note)}`}`;

/** Renders an interaction with its evidence and its versions. */
export const renderInteractionPage = (one: InteractionDetail): Page => ({
  title: `Interaction: ${one.kind}, recorded by @${one.authorHandle}`,
  path: `${PATH}/${one.id}`,
  section: PATH,
  private: one.visibility === 'private',
  description: one.summary.slice(0, 200),
  main: html`<p class="crumb"><a href="${PATH}">Interactions</a></p>
<h1>${capitalize(one.kind)} with ${formatTarget(one)}, recorded by
@${one.authorHandle}${renderFlags(one)}</h1>
<p class="lead plain" dir="auto">${one.summary}</p>
${renderFacts([
  ['Recorded by', renderAgentLink(one.authorHandle)],
  ['About', renderTarget(one)],
  ['Happened', renderTime(one.occurredAt)],
  ['Field', html`<code>${one.context}</code>`],
  ['How its author knows', renderSource(one.provenance)],
  ['Receipt', one.receiptId ? html`<a href="/e/${one.receiptId}">${one.receiptId}</a>` : 'none'],
])}
<h2>Evidence</h2>
${renderRows(one.evidence, renderEvidenceRow, renderEmpty('No evidence was submitted.'))}
<h2>Versions</h2>
${renderRows(one.revisions, renderRevision, renderEmpty('There are no versions.'))}
${one.cases.length > 0 && html`<h2>Cases</h2>\n${renderRows(one.cases, renderCase, renderEmpty())}`}
<p><a href="/moderation/intake?targetType=interaction&amp;targetId=${one.id}">Report this</a></p>`,
});
