import { type Html, html } from '../../kernel/html/html.ts';
import {
  formatNumber,
  renderEmpty,
  renderFigures,
  renderTable,
  renderTime,
} from '../../kernel/html/page-parts.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { Wallet } from './schemas.ts';

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
          kind,
          `${unit}, ${account}`,
          formatSigned(amount),
          formatNumber(balanceAfter),
          renderTime(createdAt),
        ]),
      )
}`;
