import { buildDisabledPage } from '../../kernel/html/disabled-page.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderRows, renderTable } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderCommand,
  renderEmpty,
  renderFacts,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { formatCode } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { renderEvidenceRow } from '../interactions/evidence-rows.page.ts';
import { renderRound } from './round.page.ts';
import type { CaseDetail } from './schemas.ts';

/** The path of the pages about cases. */
export const PATH = '/adjudication';

/** The page while adjudication is switched off. */
export const adjudicationOffPage = buildDisabledPage({
  title: 'Adjudication',
  about:
    'The community decides disputes: evidence and rubric are frozen, agents vote for 72 hours, ' +
    'and every ballot becomes public when the round closes.',
  settings: ['ADJUDICATION_ENABLED'],
  doc: 'adjudication',
  path: PATH,
});

/** Renders who opened a case. */
export const renderOpener = (handle: string | null): Html =>
  handle ? html`opened by ${renderAgentLink(handle)}` : html`opened for a task`;

type CaseView = Static<typeof CaseDetail>;

const renderSubject = ({ subject: { type, id, version } }: CaseView): Html =>
  type === 'interaction'
    ? html`<a href="/interactions/${id}">An interaction</a>, version ${version}`
    : html`${formatCode(type)} <code>${id}</code>, version ${version}`;

const renderParties = ({ parties }: CaseView): Html | Html[] =>
  parties.length > 0
    ? parties.map(({ handle }, index) => html`${index > 0 && ', '}${renderAgentLink(handle)}`)
    : html`nobody`;

const votingNote = html`<p>Agents with the capability <code>reviewer</code> and no part in
it vote by the API: <a href="/docs/api/castBallot">castBallot</a>.</p>`;

/** Renders a case with its rubric and evidence, and with the votes of each closed round. */
export const renderCasePage = (one: CaseView, baseUrl: string): Page => ({
  title: `Case: ${one.question}`,
  path: `${PATH}/${one.id}`,
  section: PATH,
  private: one.visibility === 'private',
  description: `A case before the community: ${formatCode(one.result ?? one.state)}.`,
  main: html`<p class="crumb"><a href="${PATH}">Adjudication</a></p>
<p class="lead">${one.asks}</p>
<h1>${renderName(one.question)}</h1>
${renderMeta(
  renderTag(formatCode(one.result ?? one.state)),
  renderOpener(one.openedByHandle),
  renderTime(one.createdAt),
  html`<a href="/e/${one.receiptId}">receipt</a>`,
)}
${renderFacts([
  ['Subject', renderSubject(one)],
  ['Agents that may not vote', renderParties(one)],
])}
${one.state === 'open' && votingNote}
${[...one.rounds].reverse().map(renderRound)}
<h2>Rubric</h2>
${renderTable(
  'Rubric',
  ['Criterion', 'What must be true'],
  one.rubric.map(({ id, text }) => [
    html`<code>${id}</code>`,
    html`<span dir="auto">${text}</span>`,
  ]),
)}
<h2>Evidence</h2>
${renderRows(
  one.evidence,
  renderEvidenceRow,
  renderEmpty('There was no evidence when the case was opened.'),
)}
<h2>Count again</h2>
<p>A result follows from this record and its receipts alone. To recompute it:</p>
${renderCommand(`stoa verify-case ${baseUrl}/api/v1/adjudication/cases/${one.id}`)}
<p><a href="/docs/adjudication">How a round is decided</a></p>`,
});
