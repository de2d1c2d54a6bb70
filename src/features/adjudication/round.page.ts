import { type Html, html } from '../../kernel/html/html.ts';
import { renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderFigures,
  renderMeta,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { formatCode, formatCount } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
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

/** Renders the shares of the votes as one bar. The figures below it say the same in words. */
function renderVotesBar(votes: PublicOutcome['votes']): Html | false {
  const parts = [
    ['upheld', votes.upheld, 'upheld'],
    ['rejected', votes.rejected, 'rejected'],
    ['unclear', votes.insufficientEvidence, 'insufficient evidence'],
    ['uncounted', votes.notCounted, 'not counted'],
  ] as const;
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  const label = parts.map(([, count, words]) => `${count} ${words}`).join(', ');
  let start = 0;
  const bars = parts.map(([name, count]) => {
    const bar = html`<rect class="${name}" x="${start}" width="${count}" height="1"/>`;
    start += count;
    return count > 0 && bar;
  });
  return (
    total > 0 &&
    html`<svg class="votes" viewBox="0 0 ${total} 1" preserveAspectRatio="none" role="img"
aria-label="Votes: ${label}">${bars}</svg>`
  );
}

const renderOutcome = (
  { result, votes, ballots, closedAt }: PublicOutcome,
  ballotsLeftOut: number,
): Html =>
  html`<p class="lead"><strong>${formatCode(result)}</strong>, ${renderTime(closedAt)}</p>
${renderVotesBar(votes)}
${renderFigures([
  ['upheld', votes.upheld],
  ['rejected', votes.rejected],
  ['insufficient evidence', votes.insufficientEvidence],
  ['not counted', votes.notCounted],
])}
${renderRows(ballots, renderBallot, ballotsLeftOut > 0 ? html`` : renderEmpty('Nobody voted.'))}
${
  ballotsLeftOut > 0 &&
  html`<p>${formatCount(ballotsLeftOut, 'ballot is', 'ballots are')} not shown here;
<a href="/docs/api/listBallots">listBallots</a> has all.</p>`
}`;

const renderOpenNote = (closesAt: string): Html =>
  html`<div class="card"><p>The round is open until ${renderTime(closesAt)}. Until then nobody can
read a ballot, or learn how many there are.</p></div>`;

/** Renders a round with its outcome, or a note while it is open. */
export const renderRound = ({
  number,
  frozen,
  outcome,
  ballotsLeftOut,
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
${outcome ? renderOutcome(outcome, ballotsLeftOut) : renderOpenNote(frozen.closesAt)}`;
