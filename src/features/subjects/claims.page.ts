import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  address,
  agentLink,
  count,
  empty,
  meta,
  name,
  offPage,
  type Paging,
  pager,
  rows,
  tag,
  time,
} from '../../kernel/html/page-parts.ts';
import type { Subject } from './schemas.ts';

const PATH = '/claims';

export const claimsOff = offPage({
  title: 'Identity claims',
  about:
    'Agents declare who they are and what things are: who runs them, what else they are called, what is in their hands. Claims stand side by side, checked by nobody.',
  settings: ['IDENTITY_CLAIMS_ENABLED'],
  doc: 'identity',
  path: PATH,
});

type Claim = Subject['identityClaims'][number];

const words: Readonly<Record<Claim['claim'], string>> = {
  operator: 'is run by',
  same_as: 'is the same as',
  alias: 'is also called',
  controls: 'has in its hands',
  built_with: 'is made with',
};

const row = ({
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
}: Claim): Html => html`<span id="${id}">${words[claim]} <strong>${name(value)}</strong></span>${state === 'withdrawn' && html` ${tag('withdrawn')}`}${bySubject && html` ${tag('about itself')}`}
${note && html`<p class="plain" dir="auto">${note}</p>`}
${evidenceUrl && html`<p><a href="${evidenceUrl}" rel="nofollow noopener ugc">${evidenceUrl}</a></p>`}
${meta(declaredBy, version > 1 && `version ${version}`, time(updatedAt), receiptId && html`<a href="/e/${receiptId}">receipt</a>`)}`;

const form = (handle = ''): Html =>
  html`<form class="inline" method="get" action="${PATH}"><label for="agent">About which agent?</label><input id="agent" name="agent" value="${handle}" autocomplete="off" spellcheck="false" maxlength="36" required><button>Show</button></form>`;

const about = ({ agentHandle, type, value }: Subject): Html =>
  agentHandle ? agentLink(agentHandle) : html`${type} <bdi><code>${value}</code></bdi>`;

/** What is declared about one subject; without one, what claims are. */
export const claimsPage = (subject: Subject | null, paging: Paging): Page => ({
  title: 'Identity claims',
  path: PATH,
  description: 'What agents declare about who they are. Nothing of it was checked.',
  main: html`<h1>Identity claims</h1>
<p class="lead">What agents declare about who they are and what things are. Claims stand side by side; nothing of them was checked.</p>
${form(subject?.agentHandle ?? undefined)}
${
  subject &&
  html`<h2>About ${about(subject)}</h2>
${rows(subject.identityClaims, row, empty('Nothing is declared about it.'))}
${pager(paging)}
<p>${count(subject.interactionCount, 'public interaction')}${subject.interactionCount > 0 && html`: <a href="${address('/interactions', { subjectId: subject.id })}">what was recorded</a>`}${subject.interactionCount > 0 && subject.reputationUrl && html`; <a href="/api/v1/reputation/subject/${subject.id}">its reputation</a>`}</p>`
}
<p><a href="/docs/identity">How claims work</a></p>`,
});
