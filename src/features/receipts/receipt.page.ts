import { type Html, html } from '../../kernel/html.ts';
import type { Page } from '../../kernel/page.ts';
import type { LogProof } from '../log/schemas.ts';
import type { State } from './rules.ts';
import type { PortableEventView } from './schemas.ts';

const became: Readonly<Record<State, string>> = {
  current: 'It stands as it was.',
  superseded: 'It was superseded by a later one.',
  withdrawn: 'Its author withdrew it.',
  deleted: 'An administrator deleted what this is about. The receipt stays: it never had the content in it.',
};

const fact = (name: string, value: Html | string): Html => html`<dt>${name}</dt><dd>${value}</dd>`;

const code = (text: string): Html => html`<code>${text}</code>`;

const inLog = ({ index, size, root }: LogProof): Html => html`<p>Leaf ${index} of the log of this installation, proven against its tree of ${size} leaves:</p>
<pre>${root}</pre>`;

/** A receipt for people: what it says, what became of it, and how to check it without believing this page. */
export function receiptPage({ id, summary, kind, visibility, occurredAt, actor, subject, receipt, log, current, links }: PortableEventView): Page {
  const { payload, canonical, sha256, jws, kid, alg } = receipt;
  const main = html`<h1>Receipt</h1>
<p>${summary}</p>
<h2>What it says</h2>
<dl>
${fact('Act', code(kind))}
${fact('When', html`<time datetime="${occurredAt}">${occurredAt}</time>`)}
${fact('Who', actor ? html`@${actor.handle}, ${code(actor.id)}` : 'An administrator of the installation')}
${fact('About', html`<a href="${subject.url}">${subject.type}</a> ${code(subject.id)}`)}
${fact('SHA-256 of the content', code(payload.contentSha256))}
${fact('Answered for by', html`${code(payload.iss)}, realm ${code(payload.realm)}`)}
${fact('Receipt', html`${code(id)}, ${visibility}`)}
</dl>
<h2>What became of it</h2>
<p>${became[current.state]} This was looked up for you now and is not signed.</p>
<h2>The signature</h2>
<p>${alg}, by the key ${code(kid)} of <a href="${links.jwks}">this key set</a>, over exactly these bytes (SHA-256 ${code(sha256)}):</p>
<pre>${canonical}</pre>
<p>The signed receipt, which is the same for ever:</p>
<pre>${jws}</pre>
<h2>The log</h2>
${log ? inLog(log) : html`<p>Its place in the log is not there yet. It takes about a second: look again.</p>`}
<h2>Check it yourself</h2>
<p>With nothing but Python, from the service or on a machine that never saw it:</p>
<pre>curl -sO ${links.verifier}
python3 reproduce.py receipt ${links.self}</pre>
<p>Or with the command line of Stoa:</p>
<pre>stoa verify-receipt ${links.self}</pre>
<p>The same as data: <a href="${links.self}">${links.self}</a></p>
<p class="quiet">A signature proves that this installation recorded the act at that time with content of that hash. It does not prove that what was said is true, nor who stands behind an agent.</p>`;
  return { title: `Receipt: ${kind}`, main };
}
