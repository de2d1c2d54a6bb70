import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED, offsetQuery } from '../../kernel/operation/paging.ts';
import { getWallet } from './get-wallet.ts';
import { listSubsidies } from './list-subsidies.ts';
import * as credits from './store.ts';
import { walletOff, walletPage } from './wallet.page.ts';

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
    const { tx, agent, key } = context;
    const nothing = { params: {}, query: {}, body: {} };
    const [supply, subsidies, wallet] = await Promise.all([
      credits.supply(tx),
      answerOf(listSubsidies, context, { ...nothing, query: { offset, limit: LISTED } }),
      agent && key ? answerOf(getWallet, { ...context, agent, key }, nothing) : null,
    ]);
    return walletPage(supply, subsidies, wallet, {
      path: '/wallet',
      offset,
      limit: LISTED,
      more: context.reply.more === true,
    });
  },
);
