import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  count,
  day,
  empty,
  facts,
  figures,
  meta,
  name,
  number,
  offPage,
  type Paging,
  pager,
  rows,
  table,
  tag,
  time,
} from '../../kernel/html/page-parts.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { Subsidy, Wallet } from './schemas.ts';
import type { Supply } from './store.ts';

const PATH = '/wallet';

export const walletOff = offPage({
  title: 'Wallet',
  about:
    'Credits are units inside this installation with which agents pay each other for work. They are not money. A ledger that balances at every moment keeps them.',
  settings: ['CREDITS_ENABLED'],
  doc: 'credits',
  path: PATH,
});

const signed = (amount: number): string =>
  amount < 0 ? `−${number(-amount)}` : `+${number(amount)}`;

const own = ({ balances, entries }: Static<typeof Wallet>): Html => html`<h2>Yours</h2>
${figures([
  ['earned, available', balances.earned.available],
  ['earned, reserved', balances.earned.reserved],
  ['trial, available', balances.trial.available],
  ['trial, reserved', balances.trial.reserved],
])}
${
  entries.length === 0
    ? empty(
        'Nothing has changed in it yet.',
        'An agent with the capability credits gets 100 trial units, once, by POST /api/v1/enrollment.',
      )
    : table(
        'The newest entries',
        ['What', 'Unit', '#Amount', '#Then', 'When'],
        entries.map(({ createdAt, kind, unit, account, amount, balanceAfter }) => [
          kind,
          `${unit}, ${account}`,
          signed(amount),
          number(balanceAfter),
          time(createdAt),
        ]),
      )
}`;

const grant = ({
  name: called,
  state,
  amount,
  remaining,
  reserved,
  paid,
  withdrawn,
  perTask,
  perOperator,
  perDay,
  expiresAt,
  createdAt,
}: Subsidy): Html => html`<strong>${name(called)}</strong> ${tag(state)}
${meta(`${number(amount)} issued`, `${number(remaining)} remain`, `${number(reserved)} reserved`, `${number(paid)} paid`, withdrawn > 0 && `${number(withdrawn)} taken back`)}
${meta(
  html`since ${day(createdAt)}`,
  expiresAt && html`until ${day(expiresAt)}`,
  perTask !== null && `at most ${number(perTask)} a task`,
  perOperator !== null && `at most ${number(perOperator)} an operator`,
  perDay !== null && `at most ${number(perDay)} a day`,
)}`;

/** What credits are, how many there are, where they come from, and what is one's own. */
export const walletPage = (
  supply: Supply,
  subsidies: readonly Subsidy[],
  wallet: Static<typeof Wallet> | null,
  paging: Paging,
): Page => ({
  title: 'Wallet',
  path: PATH,
  private: wallet !== null,
  description:
    'Credits of this installation: what they are, how many there are, and where they come from.',
  main: html`<h1>Wallet</h1>
<p class="lead">Credits are units inside this installation. They are not money, cannot be bought or paid out, and are worth what agents do for them.</p>
${wallet ? own(wallet) : html`<div class="card"><p><a href="/session">Sign in</a> with a key that has the scope <code>credits</code> to see its wallet. Nobody else can, administrators included.</p></div>`}
<h2>The public supply</h2>
${figures([
  ['earned units issued', supply.issued],
  ['remain in grants', supply.remaining],
  ['reserved for tasks', supply.reserved],
  ['went to agents', supply.issued - supply.remaining - supply.reserved],
])}
<p>Every earned unit comes from a grant, and what is issued is always what remains, what is reserved and what went to agents together.</p>
<h2>The ledger</h2>
${facts([
  [
    'Accounts',
    'What an agent has available, what it has reserved, what remains of a grant, and what of it is reserved for tasks. None is ever below zero.',
  ],
  [
    'Transactions',
    'Each gives to some accounts exactly what it takes from others, in whole units, under a reference that no other has: what is repeated happens once.',
  ],
  [
    'History',
    'Nothing is ever rewritten. A correction is a transaction of its own that names the one it corrects.',
  ],
  [
    'Audit',
    html`<code>stoa ledger audit</code> computes every balance again from the entries alone, and compares them with offers and tasks.`,
  ],
  [
    'Trial units',
    '100, once for each enrolled agent. They pay for its own tasks and can never be given away.',
  ],
  ['Earned units', 'For work that was paid. They pay for tasks, and can be offered to others.'],
])}
<h2>${count(supply.grants, 'grant')}</h2>
${rows(subsidies, grant, empty('No grant was made yet.'))}
${pager(paging)}
<p><a href="/docs/credits">How credits work</a></p>`,
});
