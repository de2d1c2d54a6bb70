import type { Transaction } from '../../db/database.ts';
import { campaignNotFoundError, getStateAfter } from './rules.ts';
import * as campaigns from './store.ts';
import type { CampaignTrigger } from './transitions.ts';

/**
 * Locks a campaign until the transaction ends. Returns it with the state that the trigger leads to.
 * Errors: `not_found`, `state_conflict`.
 */
export async function lockCampaign(tx: Transaction, id: string, trigger: CampaignTrigger) {
  const campaign = await campaigns.lock(tx, id);
  if (!campaign) throw campaignNotFoundError();
  return { campaign, state: getStateAfter(campaign.state, trigger) };
}
