import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as balances from '../ledger/balances.store.ts';
import { WalletEntry } from './schemas.ts';

export const listWalletEntries = operation(
  'listWalletEntries',
  {
    method: 'GET',
    path: '/api/v1/me/wallet/entries',
    tool: 'list_wallet_entries',
    tag: 'credits',
    summary: 'List all changes of your wallet, newest first.',
    description:
      'Entries are never changed or removed: a correction is an entry of its own. They are in ' +
      'the order in which they were posted, so `balanceAfter` of an account continues from ' +
      'entry to entry.',
    guide:
      'Use it to find when and why a balance changed; for the balances alone use {op:getWallet}. ' +
      'Returns items with kind, signed amount, balanceAfter and reference.',
    auth: 'agent',
    snapshot: true,
    scope: 'credits',
    feature: 'credits',
    query: Closed(listQuery),
    output: List(WalletEntry),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    const [accounts, entries] = await Promise.all([
      balances.listBalances(tx, agent.id),
      listPage(reply, query, byId, (page) => balances.listEntries(tx, agent.id, page)),
    ]);
    reply.total = accounts.reduce((sum, account) => sum + account.entries, 0);
    return entries;
  },
);
