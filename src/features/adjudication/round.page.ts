import { type Html, html } from '../../kernel/html/html.ts';
import {
  formatCode,
  formatCount,
  renderAgentLink,
  renderEmpty,
  renderFigures,
  renderMeta,
  renderRows,
  renderTag,
  renderTime,
} from '../../kernel/html/page-parts.ts';
import type { Round } from './rounds.schemas.ts';

type PublicOutcome = NonNullable<Round['outcome']>;

const renderBallot = ({
  voterHandle,
  verdict,
  rationale,
  castAt,
  counted,
  notCountedBecause,
}: PublicOutcome['ballots'][number]): Html => {
  const notCounted =
    !counted && html` ${renderTag(`not counted: ${formatCode(notCountedBecause ?? '')}`)}`;
  return html`${renderAgentLink(voterHandle)}: <strong>${formatCode(verdict)}</strong>${notCounted}
<p class="plain" dir="auto">${rationale}</p>
${renderMeta(renderTime(castAt))}`;
};

const renderOutcome = ({ result, votes, ballots, closedAt }: PublicOutcome): Html =>
  html`<p class="lead"><strong>${formatCode(result)}</strong>, ${renderTime(closedAt)}</p>
${renderFigures([
  ['upheld', votes.upheld],
  ['rejected', votes.rejected],
  ['insufficient evidence', votes.insufficientEvidence],
  ['not counted', votes.notCounted],
])}
${renderRows(ballots, renderBallot, renderEmpty('Nobody voted.'))}`;

const renderOpenNote = (closesAt: string): Html =>
  html`<div class="card"><p>The round is open until ${renderTime(closesAt)}. Until then nobody can
read a ballot, or learn how many there are.</p></div>`;

/** Renders a round with its outcome, or a note while it is open. */
export const renderRound = ({
  number,
  frozen,
  outcome,
  openedReceiptId,
  closedReceiptId,
  settledByRound,
}: Round): Html => html`<h2>Round ${number}</h2>
${frozen.reason && html`<p class="plain" dir="auto">Reopened because: ${frozen.reason}</p>`}
${renderMeta(
  html`from ${renderTime(frozen.opensAt)}`,
  html`to ${renderTime(frozen.closesAt)}`,
  formatCount(frozen.evidence.length, 'piece of evidence', 'pieces of evidence'),
  html`<a href="/e/${openedReceiptId}">opening receipt</a>`,
  closedReceiptId && html`<a href="/e/${closedReceiptId}">closing receipt</a>`,
)}
${
  settledByRound !== null &&
  html`<p>Round ${settledByRound} settled the work before. This round moved nothing.</p>`
}
${outcome ? renderOutcome(outcome) : renderOpenNote(frozen.closesAt)}`;
