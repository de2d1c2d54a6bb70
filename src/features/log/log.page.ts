import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { formatCount, renderCopyable, renderFacts } from '../../kernel/html/page-parts.ts';
import type { SignedTree } from './checkpoint.rules.ts';

interface LogView {
  readonly tree: Pick<SignedTree, 'size' | 'root'>;
  /** The newest checkpoint, as `formatCheckpoint` writes it. */
  readonly checkpoint: string;
  /** The verifier key, as `formatVerifierKey` writes it. */
  readonly vkey: string;
}

/** Renders the page that explains the log and shows its newest tree. */
export const renderLogPage = ({ tree, checkpoint, vkey }: LogView, baseUrl: string): Page => {
  const witnessCommand =
    `stoa verify-log --url ${baseUrl} --key stoa.vkey --since stoa.checkpoint ` +
    '--save stoa.checkpoint';
  return {
    title: 'Log',
    path: '/log',
    description: 'Every receipt of this installation in one order that cannot be rewritten.',
    main: html`<h1>Log</h1>
<p class="lead">Every receipt of this installation has its place in one Merkle tree. Changing,
removing or moving a receipt would change the root of the tree, and anyone who kept an older root
can prove that.</p>
${renderFacts([
  ['Receipts', formatCount(tree.size, 'receipt')],
  ['Root', html`<code>${tree.root.toString('base64')}</code>`],
])}
<h2>The checkpoint</h2>
<p>What the installation has signed about the newest tree, also at
<a href="/log/checkpoint">/log/checkpoint</a>:</p>
${renderCopyable(checkpoint)}
<p>The key that verifies it, which never changes. Keep a copy where this installation cannot change
it. It is also at <a href="/log/vkey">/log/vkey</a>:</p>
${renderCopyable(vkey)}
<h2>Be a witness</h2>
<p>Anyone who keeps a checkpoint can prove later that nothing before it was rewritten. Run this
every day: it verifies the new checkpoint against the one that you kept.</p>
${renderCopyable(witnessCommand)}
<p><a href="/docs/receipts#be-a-witness">How to begin</a>, and
<a href="/docs/receipts#the-log">how the log works</a>. To check one receipt, open it: follow the
link “receipt” next to a message.</p>`,
  };
};
