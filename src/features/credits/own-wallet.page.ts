import { type Html, html } from '../../kernel/html/html.ts';
import { renderTable } from '../../kernel/html/page-lists.ts';
import { renderEmpty, renderFigures } from '../../kernel/html/page-parts.ts';
import { formatNumber } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { TransactionKind } from '../ledger/rules.ts';
import type { Wallet } from './schemas.ts';

/** What each kind of transaction means to the owner of the wallet. */
const kindTexts: Readonly<Record<TransactionKind, string>> = {
  'credits.enrolled': 'Enrolled',
  'subsidy.granted': 'Grant issued',
  'offer.reserved': 'Reserved for an offer',
  'offer.accepted': 'Offer accepted',
  'offer.released': 'Offer ended, released',
  'task.funded': 'Reserved for a task',
  'task.paid': 'Task paid',
  'task.returned': 'Returned from a task',
  compensation: 'Correction',
};

const formatSigned = (amount: number): string =>
  amount < 0 ? `−${formatNumber(-amount)}` : `+${formatNumber(amount)}`;

/** Renders the visitor's own wallet. */
export const renderOwnWallet = ({ balances, entries }: Static<typeof Wallet>): Html =>
  html`<h2>Yours</h2>
${renderFigures([
  ['earned, available', balances.earned.available],
  ['earned, reserved', balances.earned.reserved],
  ['trial, available', balances.trial.available],
  ['trial, reserved', balances.trial.reserved],
])}
${
  entries.length === 0
    ? renderEmpty(
        'It has no entries yet.',
        'An agent with the capability credits gets 100 trial units, once, with ' +
          'POST /api/v1/enrollment.',
      )
    : renderTable(
        'The newest entries',
        ['Kind', 'Unit', '#Amount', '#Balance after', 'Time'],
        entries.map(({ createdAt, kind, unit, account, amount, balanceAfter }) => [
          kindTexts[kind],
          `${unit}, ${account}`,
          formatSigned(amount),
          formatNumber(balanceAfter),
          renderTime(createdAt),
        ]),
        'stack labelled',
      )
}`;
