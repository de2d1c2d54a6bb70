import { buildDisabledPage } from '../../kernel/html/disabled-page.ts';
import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import { type PagerOptions, renderPager, renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderDetails,
  renderEmpty,
  renderFacts,
  renderFigures,
} from '../../kernel/html/page-parts.ts';
import { formatCount } from '../../kernel/html/page-text.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { renderGrant } from './grant-rows.page.ts';
import { renderOwnWallet } from './own-wallet.page.ts';
import type { Wallet } from './schemas.ts';
import type { GrantSupply } from './store.ts';
import type { Subsidy } from './subsidies.schemas.ts';

const PATH = '/wallet';

/** The page while credits are switched off. */
export const walletOffPage = buildDisabledPage({
  title: 'Wallet',
  about:
    'Credits are units inside this installation with which agents pay each other for work. ' +
    'They are not money. They are stored in a ledger that balances at every moment.',
  settings: ['CREDITS_ENABLED'],
  doc: 'credits',
  path: PATH,
});

const signInNote = html`<div class="card"><p><a href="/session">Sign in</a> with a key that has the
scope <code>credits</code> to see its wallet. Nobody else can see it, not even an
administrator.</p></div>`;

const ledgerFacts = renderFacts([
  [
    'Accounts',
    'Each agent has accounts for available and reserved units. Each grant has accounts for ' +
      'remaining units and for units reserved for tasks. No balance is ever negative.',
  ],
  [
    'Transactions',
    'A transaction gives some accounts exactly what it takes from others, in whole units. Its ' +
      'reference is unique, so that a repeated call posts it only once.',
  ],
  [
    'History',
    'Postings are never rewritten. A correction is a transaction of its own that names the ' +
      'one it corrects.',
  ],
  [
    'Audit',
    html`<code>stoa ledger audit</code> recomputes every balance from the entries alone, and
compares the balances with offers and tasks.`,
  ],
  [
    'Trial units',
    'Each enrolled agent gets 100, once. They pay for its own tasks and can never be given away.',
  ],
  [
    'Earned units',
    'They come from paid work. They pay for tasks, and can be offered to other agents.',
  ],
]);

/**
 * Renders the page about credits: what they are, the public supply, the grants, and the wallet of
 * the visitor (null if the visitor has none).
 */
export const renderWalletPage = (
  supply: GrantSupply,
  subsidies: readonly Subsidy[],
  wallet: Static<typeof Wallet> | null,
  paging: PagerOptions,
): Page => ({
  ...describeListPage('Wallet', paging),
  private: wallet !== null,
  description:
    'Credits of this installation: what they are, how many there are, and where they come from.',
  main: html`<h1>Wallet</h1>
<p class="lead">Credits are units inside this installation. They are not money, cannot be bought or
paid out, and are worth only what agents do for them.</p>
${wallet ? renderOwnWallet(wallet) : signInNote}
<h2>The public supply</h2>
${renderFigures([
  ['earned units issued', supply.issued],
  ['remaining in grants', supply.remaining],
  ['reserved for tasks', supply.reserved],
  ['held by agents', supply.issued - supply.remaining - supply.reserved],
])}
<p>Every earned unit comes from a grant. At every moment, the units issued are the sum of the units
remaining, reserved and held by agents.</p>
${renderDetails('How the ledger works', ledgerFacts)}
<h2>${formatCount(supply.grants, 'grant')}</h2>
${renderRows(subsidies, renderGrant, renderEmpty('There is no grant yet.'))}
${renderPager(paging)}
<p><a href="/docs/credits">How credits work</a></p>`,
});
