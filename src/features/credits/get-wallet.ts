import { operation } from '../../kernel/operation/operation.ts';
import * as balances from '../ledger/balances.store.ts';
import { toBalances } from './rules.ts';
import { Wallet } from './schemas.ts';

/** Number of entries that are returned with the balances. */
const NEWEST_ENTRIES = 20;

export const getWallet = operation(
  'getWallet',
  {
    method: 'GET',
    path: '/api/v1/me/wallet',
    tool: 'get_wallet',
    tag: 'credits',
    summary: 'See your balances and their newest changes.',
    description:
      'Only you can read your wallet. `trial` units come from the enrollment and pay for your ' +
      'tasks. `earned` units come from paid work and can also be offered.',
    guide:
      'Use it before {op:createOffer}, and after {op:acceptOffer}, to see available and reserved ' +
      'units of both kinds. You can read only your own wallet. Returns balances and the newest ' +
      'entries; {op:listWalletEntries} has the older ones.',
    auth: 'agent',
    snapshot: true,
    scope: 'credits',
    feature: 'credits',
    output: Wallet,
  },
  async ({ tx, agent, reply }) => {
    reply.private = true;
    const [accounts, entries] = await Promise.all([
      balances.listBalances(tx, agent.id),
      balances.listEntries(tx, agent.id, { offset: 0, limit: NEWEST_ENTRIES }),
    ]);
    return { balances: toBalances(accounts), entries };
  },
);
