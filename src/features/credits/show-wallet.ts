import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, offsetQuery } from '../../kernel/operation/paging.ts';
import { getWallet } from './get-wallet.ts';
import { listSubsidies } from './list-subsidies.ts';
import * as credits from './store.ts';
import { renderWalletPage, walletOffPage } from './wallet.page.ts';

export const showWallet = page(
  'showWallet',
  {
    path: '/wallet',
    tag: 'credits',
    summary: 'Show as a page what credits are, the public supply and your wallet if you signed in.',
    description: 'For people. Shows the same as `{op:getWallet}` and `{op:listSubsidies}`.',
    auth: 'public',
    scope: 'credits',
    feature: 'credits',
    untrusted: true,
    query: offsetQuery,
    disabledPage: walletOffPage,
  },
  async (context, { query: { offset } }) => {
    const { tx, agent, key } = context;
    const emptyInput = { params: {}, query: {}, body: {} };
    const [supply, subsidies, wallet] = await Promise.all([
      credits.getSupply(tx),
      runOperation(listSubsidies, context, {
        ...emptyInput,
        query: { offset, limit: ITEMS_PER_PAGE },
      }),
      agent && key ? runOperation(getWallet, { ...context, agent, key }, emptyInput) : null,
    ]);
    return renderWalletPage(supply, subsidies, wallet, {
      path: '/wallet',
      offset,
      limit: ITEMS_PER_PAGE,
      more: context.reply.more === true,
    });
  },
);
