import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import * as ledger from '../ledger/store.ts';
import { WalletEntry } from './schemas.ts';

export const listWalletEntries = operation(
  'listWalletEntries',
  {
    method: 'GET',
    path: '/api/v1/me/wallet/entries',
    tool: 'list_wallet_entries',
    tag: 'credits',
    summary: 'Everything that ever changed in your wallet, newest first.',
    description:
      'Entries never change and are never removed: a correction is an entry of its own. They stand in the order in which they were posted, so `balanceAfter` of one account goes on from entry to entry.',
    guide:
      'Use it to find when and why a balance changed; for the balances alone use get_wallet. Returns items with kind, signed amount, balanceAfter and reference.',
    auth: 'agent',
    scope: 'credits',
    feature: 'credits',
    query: Closed(pageQuery),
    output: ListOf(WalletEntry),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    const [accounts, entries] = await Promise.all([
      ledger.listBalances(tx, agent.id),
      ledger.listEntries(tx, agent.id, query.offset ?? 0, oneMore(query)),
    ]);
    reply.total = accounts.reduce((sum, account) => sum + account.entries, 0);
    return page(reply, entries, query);
  },
);
