import { sha256 } from '../../kernel/crypto/credentials.ts';
import type { NewReceipt } from '../../kernel/effects.ts';
import { fail, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { getNextState } from '../../kernel/records/versioned.ts';
import { type CampaignState, type CampaignTrigger, campaignMachine } from './transitions.ts';

/**
 * Maximum number of posts of one dispatch. Until they are committed, nobody can stop the campaign
 * or end notices for the rooms concerned, so the number is small.
 */
export const MAX_DISPATCH_NOTICES = 50;

/** Builds the error for a campaign id that does not exist: `not_found`. */
export const campaignNotFoundError = (): StoaError =>
  fail('not_found', 'There is no campaign with this id. {op:listCampaigns} lists them.');

/**
 * Returns the state that a trigger leads to. Errors: `state_conflict` with the current state, if
 * the trigger is not allowed in it.
 */
export function getStateAfter(state: CampaignState, trigger: CampaignTrigger): CampaignState {
  if (state === 'draft' && campaignMachine.draft[trigger] === undefined)
    throw fail(
      'state_conflict',
      'The campaign is a draft. Prepare it first, which publishes its notices word for word.',
      { state },
    );
  return getNextState(campaignMachine, state, trigger);
}

/**
 * Asserts that the installation sends notices. Errors: `capability_disabled` with `capability`
 * `dispatch`.
 */
export function assertDispatchEnabled({ dispatch }: Pick<Installation, 'dispatch'>): void {
  if (!dispatch)
    throw fail(
      'capability_disabled',
      'This installation sends no notices: DISPATCH_ENABLED is off. Its operator can switch it on.',
      { capability: 'dispatch' },
    );
}

/** Number of notices that may be sent per day and in total; null means no limit. */
export interface CampaignLimits {
  readonly daily: number | null;
  readonly total: number | null;
}

/** Number of notices that a campaign has sent, here and elsewhere: today (UTC) and in total. */
export interface SentCounts {
  readonly today: number;
  readonly total: number;
}

const getRemaining = (limit: number | null, sent: number): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - sent);

/** Returns how many notices may be sent now, at least 1. Errors: `limit_exceeded` with `limit`. */
export function getAllowance({ daily, total }: CampaignLimits, sent: SentCounts): number {
  const remainingInTotal = getRemaining(total, sent.total);
  const remainingToday = getRemaining(daily, sent.today);
  if (remainingInTotal === 0)
    throw fail(
      'limit_exceeded',
      `The campaign has sent ${sent.total} notices, as many as its limits allow. Create another ` +
        'campaign.',
      { limit: total },
    );
  if (remainingToday === 0)
    throw fail(
      'limit_exceeded',
      `The campaign has sent ${sent.today} notices today, as many as its limits allow. Continue ` +
        'after midnight UTC.',
      { limit: daily },
    );
  return Math.min(remainingInTotal, remainingToday);
}

/**
 * Builds the receipt of a sending, which proves the notice word for word. Its actor is the
 * installation. `ownerIds` are the owners of the rooms that get the notice.
 */
export const buildNoticeReceipt = (
  campaignId: string,
  text: string,
  ownerIds: readonly string[],
): NewReceipt => ({
  kind: 'campaign.noticed',
  visibility: 'public',
  actorId: null,
  subject: { type: 'campaign', id: campaignId },
  contentSha256: sha256(text),
  concernedAgentIds: ownerIds,
});
