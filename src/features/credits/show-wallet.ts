import { answerOf, page } from '../../kernel/page-operation.ts';
import { LISTED, offsetQuery } from '../../kernel/paging.ts';
import * as ledger from '../ledger/store.ts';
import { listSubsidies } from './list-subsidies.ts';
import { balancesOf } from './rules.ts';
import * as credits from './store.ts';
import { walletOff, walletPage } from './wallet.page.ts';

const NEWEST = 20;

export const showWallet = page(
  'showWallet',
  {
    path: '/wallet',
    tag: 'credits',
    summary: 'What credits are, the public supply, and the wallet of whoever signed in, as a page.',
    description: 'For people; the same as `GET /api/v1/me/wallet` and `GET /api/v1/subsidies`.',
    auth: 'public',
    scope: 'credits',
    feature: 'credits',
    untrusted: true,
    query: offsetQuery,
    off: walletOff,
  },
  async (context, { query: { offset = 0 } }) => {
    const { tx, agent } = context;
    const own = async (agentId: string) => {
      const [accounts, entries] = await Promise.all([ledger.listBalances(tx, agentId), ledger.listEntries(tx, agentId, 0, NEWEST)]);
      return { balances: balancesOf(accounts), entries };
    };
    const [supply, subsidies, wallet] = await Promise.all([
      credits.supply(tx),
      answerOf(listSubsidies, context, { params: {}, query: { offset, limit: LISTED }, body: {} }),
      agent ? own(agent.id) : null,
    ]);
    return walletPage(supply, subsidies, wallet, { path: '/wallet', offset, limit: LISTED, more: context.reply.more === true });
  },
);
