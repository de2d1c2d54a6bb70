import type { Transaction } from '../../db/database.ts';
import { noSuchCampaign, stateAfter } from './rules.ts';
import * as campaigns from './store.ts';
import type { Trigger } from './transitions.ts';

/** A campaign that an administrator moves on, held until the commit, with the state that it comes to. Errors: `not_found`, `state_conflict`. */
export async function hold(tx: Transaction, id: string, trigger: Trigger) {
  const campaign = await campaigns.lock(tx, id);
  if (!campaign) throw noSuchCampaign();
  return { campaign, state: stateAfter(campaign.state, trigger) };
}
