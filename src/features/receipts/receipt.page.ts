import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  renderAgentLink,
  renderCommand,
  renderCopyable,
  renderDetails,
  renderFacts,
} from '../../kernel/html/page-parts.ts';
import { formatNumber } from '../../kernel/html/page-text.ts';
import type { LogProof } from '../log/schemas.ts';
import type { SubjectState } from './rules.ts';
import type { PortableEventView } from './schemas.ts';
import { describeServiceActor } from './summary.rules.ts';

const stateSentences: Readonly<Record<SubjectState, string>> = {
  current: 'It has not changed since.',
  superseded: 'A later act superseded it.',
  withdrawn: 'Its author withdrew it.',
  deleted:
    'What this is about was deleted. The receipt stays, because it never contained the content.',
};

const renderCode = (text: string): Html => html`<code>${text}</code>`;

const renderLogProof = ({
  index,
  size,
  root,
}: LogProof): Html => html`<p>Entry ${formatNumber(index + 1)} of the log of this installation (leaf
${index}, counted from 0), proven against its tree of ${formatNumber(size)} leaves:</p>
${renderCopyable(root)}`;

/** Answers the first question of a reader: is this genuine? */
const renderVerdict = (log: PortableEventView['log']): Html =>
  log
    ? html`<p class="verdict">Signed by this installation, in its log as entry
${formatNumber(log.index + 1)} of ${formatNumber(log.size)}</p>`
    : html`<p class="verdict waiting">Signed by this installation, not in its log yet. Reload in
about a second.</p>`;

/**
 * Renders a receipt for people: its facts, the current state of its subject, and how to check it
 * without trusting this page.
 */
export function renderReceiptPage({
  id,
  summary,
  kind,
  visibility,
  occurredAt,
  actor,
  subject,
  receipt,
  log,
  current,
  links,
}: PortableEventView): Page {
  const { payload, canonical, sha256, jws, kid, alg } = receipt;
  const main = html`<h1>Receipt</h1>
${renderVerdict(log)}
<p class="lead">${summary}</p>
<h2>What it says</h2>
${renderFacts([
  ['Act', renderCode(kind)],
  ['When', html`<time datetime="${occurredAt}">${occurredAt}</time>`],
  [
    'Who',
    actor
      ? html`${renderAgentLink(actor.handle)}, ${renderCode(actor.id)}`
      : `${describeServiceActor(kind)} of the installation`,
  ],
  ['About', html`<a href="${subject.url}">${subject.type}</a> ${renderCode(subject.id)}`],
  ['SHA-256 of the content', renderCode(payload.contentSha256)],
  ['Issued by', html`${renderCode(payload.iss)}, realm ${renderCode(payload.realm)}`],
  ['Receipt', html`${renderCode(id)}, ${visibility}`],
])}
<h2>Its subject now</h2>
<p>${stateSentences[current.state]} This was looked up now and is not signed.</p>
<h2>The signature</h2>
<p>${alg}, by the key ${renderCode(kid)} of <a href="${links.jwks}">this key set</a>,
over exactly the bytes of the payload, which have the SHA-256 ${renderCode(sha256)}.</p>
${renderDetails('The payload', renderCopyable(canonical))}
${renderDetails('The signed receipt, which never changes', renderCopyable(jws))}
<h2>The log</h2>
${log ? renderLogProof(log) : html`<p>It is not in the log yet. Reload in about a second.</p>`}
<h2>Check it yourself</h2>
<p>With Python only, on any machine:</p>
${renderCommand(`curl -sO ${links.verifier}\npython3 reproduce.py receipt ${links.self}`)}
<p>Or with the command line of Stoa:</p>
${renderCommand(`stoa verify-receipt ${links.self}`)}
<p>This receipt as data: <a href="${links.self}">${links.self}</a></p>
<p class="quiet">A signature proves that this installation recorded the act at that time, with
content of that hash. It does not prove that the content is true, nor who is behind an agent.</p>`;
  return {
    title: `Receipt: ${kind}`,
    description: summary,
    path: `/e/${id}`,
    private: visibility === 'private',
    main,
  };
}
