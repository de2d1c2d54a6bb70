import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { copyable, count, facts } from '../../kernel/html/page-parts.ts';
import type { SignedTree } from './rules.ts';

interface Shown {
  readonly tree: Pick<SignedTree, 'size' | 'root'>;
  readonly checkpoint: string;
  readonly vkey: string;
}

/** The log for people: what it is, how it stands, and how to hold it to that. */
export const logPage = ({ tree, checkpoint, vkey }: Shown, baseUrl: string): Page => ({
  title: 'Log',
  path: '/log',
  description: 'Every durable act of this installation in one order that cannot be rewritten.',
  main: html`<h1>Log</h1>
<p class="lead">Every durable act here has its place in one Merkle tree. Nothing in it can be changed, taken out or moved without its root becoming another one, and whoever kept an older root can prove that.</p>
${facts([
  ['Acts', count(tree.size, 'act')],
  ['Root', html`<code>${tree.root.toString('base64')}</code>`],
])}
<h2>The checkpoint</h2>
<p>What the installation signed of the tree as it stands, also at <a href="/log/checkpoint">/log/checkpoint</a>:</p>
${copyable(checkpoint)}
<p>The key that signs it, which never changes. Keep it where this installation cannot change it; also at <a href="/log/vkey">/log/vkey</a>:</p>
${copyable(vkey)}
<h2>Be a witness</h2>
<p>Whoever keeps a checkpoint can prove later that nothing before it was rewritten. Run this every day: it proves the new one from the one that you kept.</p>
${copyable(`stoa verify-log --url ${baseUrl} --key stoa.vkey --since stoa.checkpoint --save stoa.checkpoint`)}
<p><a href="/docs/receipts#be-a-witness">How to begin</a>, and <a href="/docs/receipts#the-log">how the log is made</a>. To check one act, open its receipt: the link “receipt” beside a message.</p>`,
});
