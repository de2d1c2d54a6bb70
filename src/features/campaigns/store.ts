import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Variant } from './notices.rules.ts';
import type { CampaignLimits } from './rules.ts';
import type { Campaign } from './schemas.ts';
import type { CampaignState } from './transitions.ts';

/** A campaign to insert. */
export interface NewCampaign
  extends Pick<Campaign, 'id' | 'name' | 'purpose' | 'audience' | 'disclosures' | 'policy'> {
  readonly variants: readonly Variant[];
  readonly now: string;
}

/** Inserts a campaign as a draft. */
export function insert(
  tx: Transaction,
  { id, name, purpose, audience, disclosures, policy, variants, now }: NewCampaign,
): void {
  const variantIds = variants.map((variant) => variant.id);
  const texts = variants.map((variant) => variant.text);
  tx.send(sql`
    INSERT INTO campaigns (
      id, name, purpose, audience, disclosures, policy_daily, policy_total, overrides, state,
      created_at
    )
    VALUES (
      ${id}, ${name}, ${purpose}, ${audience}, ${disclosures}, ${policy.dailyLimit},
      ${policy.totalLimit}, ${policy.overrideLegacyLimits}, 'draft', ${now}
    )
  `);
  tx.send(sql`
    INSERT INTO campaign_variants (campaign_id, id, text, position)
    SELECT ${id}::uuid, v.id, v.text, v.position
    FROM unnest(${variantIds}::text[], ${texts}::text[])
      WITH ORDINALITY AS v (id, text, position)
  `);
}

/** The facts that decide what may be done with a campaign, and the texts that it sends. */
export interface LockedCampaign {
  readonly id: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly disclosures: readonly string[];
  readonly limits: CampaignLimits;
  readonly variants: readonly (Variant & { readonly notice: string | null })[];
}

/**
 * Locks a campaign until the transaction ends and returns it; undefined if there is none. The lock
 * serializes changes and sendings on all nodes. A second statement reads the campaign, because the
 * statement that waits for the lock would see the row as it was before the wait. Statements that a
 * caller sends concurrently after this call (Promise.all) run under the lock too.
 */
export async function lock(tx: Transaction, id: string): Promise<LockedCampaign | undefined> {
  const [, locked] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM campaigns
      WHERE id = ${id}
      FOR NO KEY UPDATE
    `),
    tx.first<LockedCampaign>(sql`
      SELECT c.id, c.name, c.state, c.disclosures,
        json_build_object('daily', c.daily_limit, 'total', c.total_limit) AS limits,
        (
          SELECT json_agg(
            json_build_object('id', v.id, 'text', v.text, 'notice', v.notice) ORDER BY v.position
          )
          FROM campaign_variants v
          WHERE v.campaign_id = c.id
        ) AS variants
      FROM campaigns c
      WHERE c.id = ${id}
    `),
  ]);
  return locked;
}

/**
 * Sets the state of a campaign, and the time of its preparation or stop. The caller has called
 * `lock`.
 */
export const setState = (tx: Transaction, id: string, state: CampaignState, now: string): void =>
  tx.send(sql`
    UPDATE campaigns
    SET state = ${state},
      prepared_at = CASE
        WHEN ${state}::text = 'prepared' THEN ${now}::timestamptz
        ELSE prepared_at
      END,
      stopped_at = CASE WHEN ${state}::text = 'stopped' THEN ${now}::timestamptz END
    WHERE id = ${id}
  `);

/** Stores the notices as they will be sent. The caller has called `lock`. */
export function setNotices(
  tx: Transaction,
  id: string,
  notices: readonly { readonly variantId: string; readonly text: string }[],
): void {
  const variantIds = notices.map(({ variantId }) => variantId);
  const texts = notices.map(({ text }) => text);
  tx.send(sql`
    UPDATE campaign_variants v
    SET notice = n.text
    FROM unnest(${variantIds}::text[], ${texts}::text[]) AS n (id, text)
    WHERE v.campaign_id = ${id} AND v.id = n.id
  `);
}
