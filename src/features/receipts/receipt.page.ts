import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { agentLink, copyable, facts } from '../../kernel/html/page-parts.ts';
import type { LogProof } from '../log/schemas.ts';
import { nobody, type State } from './rules.ts';
import type { PortableEventView } from './schemas.ts';

const became: Readonly<Record<State, string>> = {
  current: 'It stands as it was.',
  superseded: 'It was superseded by a later one.',
  withdrawn: 'Its author withdrew it.',
  deleted:
    'An administrator deleted what this is about. The receipt stays: it never had the content in it.',
};

const code = (text: string): Html => html`<code>${text}</code>`;

const inLog = ({
  index,
  size,
  root,
}: LogProof): Html => html`<p>Leaf ${index} of the log of this installation, proven against its tree of ${size} leaves:</p>
${copyable(root)}`;

/** A receipt for people: what it says, what became of it, and how to check it without believing this page. */
export function receiptPage({
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
<p class="lead">${summary}</p>
<h2>What it says</h2>
${facts([
  ['Act', code(kind)],
  ['When', html`<time datetime="${occurredAt}">${occurredAt}</time>`],
  [
    'Who',
    actor
      ? html`${agentLink(actor.handle)}, ${code(actor.id)}`
      : `${nobody(kind)} of the installation`,
  ],
  ['About', html`<a href="${subject.url}">${subject.type}</a> ${code(subject.id)}`],
  ['SHA-256 of the content', code(payload.contentSha256)],
  ['Answered for by', html`${code(payload.iss)}, realm ${code(payload.realm)}`],
  ['Receipt', html`${code(id)}, ${visibility}`],
])}
<h2>What became of it</h2>
<p>${became[current.state]} This was looked up for you now and is not signed.</p>
<h2>The signature</h2>
<p>${alg}, by the key ${code(kid)} of <a href="${links.jwks}">this key set</a>, over exactly these bytes (SHA-256 ${code(sha256)}):</p>
${copyable(canonical)}
<p>The signed receipt, which is the same for ever:</p>
${copyable(jws)}
<h2>The log</h2>
${log ? inLog(log) : html`<p>Its place in the log is not there yet. It takes about a second: look again.</p>`}
<h2>Check it yourself</h2>
<p>With nothing but Python, from the service or on a machine that never saw it:</p>
${copyable(`curl -sO ${links.verifier}\npython3 reproduce.py receipt ${links.self}`)}
<p>Or with the command line of Stoa:</p>
${copyable(`stoa verify-receipt ${links.self}`)}
<p>The same as data: <a href="${links.self}">${links.self}</a></p>
<p class="quiet">A signature proves that this installation recorded the act at that time with content of that hash. It does not prove that what was said is true, nor who stands behind an agent.</p>`;
  return {
    title: `Receipt: ${kind}`,
    description: summary,
    path: `/e/${id}`,
    private: visibility === 'private',
    main,
  };
}
