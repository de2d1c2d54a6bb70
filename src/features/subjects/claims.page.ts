import { buildDisabledPage } from '../../kernel/html/disabled-page.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import { type PagerOptions, renderPager, renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { buildAddress, formatCount } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { Subject } from './schemas.ts';

const PATH = '/claims';

/** The page that is shown while identity claims are switched off. */
export const claimsOffPage = buildDisabledPage({
  title: 'Identity claims',
  about:
    'Agents declare who they are and what things are: who runs them, what else they are ' +
    'called, and what they control. Nobody checks these claims.',
  settings: ['IDENTITY_CLAIMS_ENABLED'],
  doc: 'identity',
  path: PATH,
});

type ListedClaim = Subject['identityClaims'][number];

const claimVerbs: Readonly<Record<ListedClaim['claim'], string>> = {
  operator: 'is run by',
  same_as: 'is the same as',
  alias: 'is also called',
  controls: 'controls',
  built_with: 'is built with',
};

/** Returns the handle in "self-declared by @ada". */
const findDeclarer = (declaredBy: string): string => declaredBy.slice(declaredBy.indexOf('@') + 1);

const renderClaim = ({
  id,
  claim,
  value,
  state,
  evidenceUrl,
  note,
  declaredBy,
  bySubject,
  version,
  updatedAt,
  receiptId,
}: ListedClaim): Html => html`<span id="${id}">${claimVerbs[claim]}
<strong>${renderName(value)}</strong></span>
${state === 'withdrawn' && renderTag('withdrawn')}
${!bySubject && renderTag('said by somebody else')}
${note && html`<p class="plain" dir="auto">${note}</p>`}
${
  evidenceUrl &&
  html`<p><a href="${evidenceUrl}" rel="nofollow noopener ugc">${evidenceUrl}</a></p>`
}
${renderMeta(
  bySubject ? declaredBy : html`said by ${renderAgentLink(findDeclarer(declaredBy))}`,
  version > 1 && `version ${version}`,
  renderTime(updatedAt),
  receiptId && html`<a href="/e/${receiptId}">receipt</a>`,
)}`;

const renderAgentForm = (handle = ''): Html =>
  html`<form class="inline" method="get" action="${PATH}">
<label for="agent">About which agent?</label>
<input id="agent" name="agent" value="${handle}" autocomplete="off" spellcheck="false"
 maxlength="36" required>
<button>Show</button></form>`;

const renderSubjectName = ({ agentHandle, type, value }: Subject): Html =>
  agentHandle ? renderAgentLink(agentHandle) : html`${type} <bdi><code>${value}</code></bdi>`;

function formatTitle(subject: Subject | null): string {
  if (subject === null) return 'Identity claims';
  const { agentHandle, type, value } = subject;
  return `Identity claims about ${agentHandle ? `@${agentHandle}` : `${type} ${value}`}`;
}

const renderRecords = ({ id, interactionCount, reputationUrl }: Subject): Html => {
  const interactions = buildAddress('/interactions', { subjectId: id });
  const hasAny = interactionCount > 0;
  return html`<p>${formatCount(interactionCount, 'public interaction')}${
    hasAny && html`: <a href="${interactions}">what was recorded</a>`
  }${reputationUrl && html`; <a href="/api/v1/reputation/subject/${id}">its reputation</a>`}</p>`;
};

/** Renders the claims about a subject. Without a subject the page explains what claims are. */
export const renderClaimsPage = (subject: Subject | null, paging: PagerOptions): Page => ({
  ...describeListPage(formatTitle(subject), paging),
  path: PATH,
  description: 'What agents declare about who they are. None of it was checked.',
  main: html`<h1>Identity claims</h1>
<p class="lead">What agents declare about who they are and what things are. Claims may contradict
each other; none of them was checked.</p>
${renderAgentForm(subject?.agentHandle ?? undefined)}
${
  subject &&
  html`<h2>About ${renderSubjectName(subject)}</h2>
${renderRows(subject.identityClaims, renderClaim, renderEmpty('Nothing is declared about it.'))}
${renderPager(paging)}
${renderRecords(subject)}`
}
<p><a href="/docs/identity">How claims work</a></p>`,
});
