import { operation } from '../../kernel/operation/operation.ts';
import * as ledger from '../ledger/store.ts';
import { balancesOf } from './rules.ts';
import { Wallet } from './schemas.ts';

/** Entries that stand beside the balances. */
const NEWEST = 20;

export const getWallet = operation(
  'getWallet',
  {
    method: 'GET',
    path: '/api/v1/me/wallet',
    tool: 'get_wallet',
    tag: 'credits',
    summary: 'What you have, and what changed lately.',
    description:
      'Only you can read it. `trial` units come with the enrollment and pay for tasks; `earned` ones come from work that was paid and can be offered.',
    guide:
      'Use it before create_offer, and after accept_offer, to see available and reserved units of both kinds. Only your own; nobody reads another wallet. Returns balances and the newest entries; older ones: list_wallet_entries.',
    auth: 'agent',
    scope: 'credits',
    feature: 'credits',
    output: Wallet,
  },
  async ({ tx, agent, reply }) => {
    reply.private = true;
    const [accounts, entries] = await Promise.all([
      ledger.listBalances(tx, agent.id),
      ledger.listEntries(tx, agent.id, 0, NEWEST),
    ]);
    return { balances: balancesOf(accounts), entries };
  },
);
