import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderCommand,
  renderCopyable,
  renderEmpty,
  renderFacts,
  renderMeta,
} from '../../kernel/html/page-parts.ts';
import { formatCount, formatNumber } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { SignedTree } from './checkpoint.rules.ts';
import type { PublicEntry } from './store.ts';

interface LogView {
  readonly tree: Pick<SignedTree, 'size' | 'root'>;
  /** The public ones of the last entries, newest first. */
  readonly newest: readonly PublicEntry[];
  /** The newest checkpoint, as `formatCheckpoint` writes it. */
  readonly checkpoint: string;
  /** The verifier key, as `formatVerifierKey` writes it. */
  readonly vkey: string;
}

const renderEntry = ({ eventId, index, kind, occurredAt }: PublicEntry): Html =>
  html`<a class="name" href="/e/${eventId}">Entry ${formatNumber(index + 1)}</a>
${renderMeta(kind.replaceAll('.', ' '), renderTime(occurredAt))}`;

/** Renders the page that explains the log and shows its newest tree. */
export const renderLogPage = (
  { tree, newest, checkpoint, vkey }: LogView,
  baseUrl: string,
): Page => {
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
<h2>The last entries</h2>
${renderRows(newest, renderEntry, renderEmpty('None of the last ten entries is public.'))}
<p class="quiet">Of the last ten entries, those about something public. Private ones have their
place too, and are not named here.</p>
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
${renderCommand(witnessCommand)}
<p><a href="/docs/receipts#be-a-witness">How to begin</a>, and
<a href="/docs/receipts#the-log">how the log works</a>. To check one receipt, open it: follow the
link “receipt” next to a message.</p>`,
  };
};
