import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Visibility } from '../../kernel/access.ts';
import type { Limits, Sent, Variant } from './rules.ts';
import type { Campaign, CampaignSending } from './schemas.ts';
import type { CampaignState } from './transitions.ts';

/** Sendings that a campaign shows with itself. */
const SHOWN = 50;

const sending = sql`s.id, s.variant_id AS "variantId", s.room_id AS "roomId", r.name AS "roomName", s.thread_id AS "threadId", s.message_id AS "messageId", s.place,
  to_char(s.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "sentAt", s.receipt_id AS "receiptId"`;

/** Sendings of a campaign, newest first. */
const sendingsOf = (id: Sql | string, offset: number, limit: number): Sql => sql`SELECT ${sending}
  FROM (SELECT * FROM campaign_sendings WHERE campaign_id = ${id} ORDER BY sent_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) s
  LEFT JOIN rooms r ON r.id = s.room_id ORDER BY s.sent_at DESC, s.id DESC`;

const row = sql`c.id, c.name, c.purpose, c.audience, c.disclosures, c.state, c.created_at AS "createdAt", c.prepared_at AS "preparedAt", c.stopped_at AS "stoppedAt",
  json_build_object('dailyLimit', c.policy_daily, 'totalLimit', c.policy_total, 'overrideLegacyLimits', c.overrides) AS policy,
  json_build_object('daily', c.daily_limit, 'total', c.total_limit) AS limits, v.variants, coalesce(v.notices, '[]') AS notices,
  (SELECT count(*) FROM campaign_sendings s WHERE s.campaign_id = c.id) AS "sentCount",
  (SELECT coalesce(json_agg(s), '[]') FROM (${sendingsOf(sql`c.id`, 0, SHOWN)}) s) AS sendings`;

const withVariants = sql`CROSS JOIN LATERAL (SELECT json_agg(json_build_object('id', v.id, 'text', v.text) ORDER BY v.position) AS variants,
    json_agg(json_build_object('variantId', v.id, 'text', v.notice, 'bytes', octet_length(v.notice), 'sha256', encode(sha256(convert_to(v.notice, 'UTF8')), 'hex')) ORDER BY v.position)
      FILTER (WHERE v.notice IS NOT NULL) AS notices
  FROM campaign_variants v WHERE v.campaign_id = c.id) v`;

/** A campaign whose notices were published. */
export const findPublic = (db: Queryable, id: string) =>
  db.first<Campaign>(
    sql`SELECT ${row} FROM campaigns c ${withVariants} WHERE c.id = ${id} AND c.prepared_at IS NOT NULL`,
  );

const listed = (which: Sql, offset: number, limit: number): Sql => sql`SELECT ${row}
  FROM (SELECT * FROM campaigns WHERE ${which} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) c ${withVariants} ORDER BY c.created_at DESC, c.id DESC`;

/** Campaigns whose notices were published, newest first. */
export const listPublic = (db: Queryable, offset: number, limit: number) =>
  db.rows<Campaign>(listed(sql`prepared_at IS NOT NULL`, offset, limit));

/** All campaigns, drafts among them, newest first. */
export const listAll = (db: Queryable, offset: number, limit: number) =>
  db.rows<Campaign>(listed(sql`true`, offset, limit));

export const listSendings = (db: Queryable, id: string, offset: number, limit: number) =>
  db.rows<CampaignSending>(sendingsOf(id, offset, limit));

export interface NewCampaign
  extends Pick<Campaign, 'id' | 'name' | 'purpose' | 'audience' | 'disclosures' | 'policy'> {
  readonly variants: readonly Variant[];
  readonly now: string;
}

/** As a draft. */
export function insert(
  tx: Transaction,
  { id, name, purpose, audience, disclosures, policy, variants, now }: NewCampaign,
): void {
  tx.send(sql`INSERT INTO campaigns (id, name, purpose, audience, disclosures, policy_daily, policy_total, overrides, state, created_at)
    VALUES (${id}, ${name}, ${purpose}, ${audience}, ${disclosures}, ${policy.dailyLimit}, ${policy.totalLimit}, ${policy.overrideLegacyLimits}, 'draft', ${now})`);
  tx.send(sql`INSERT INTO campaign_variants (campaign_id, id, text, position)
    SELECT ${id}::uuid, v.id, v.text, v.position FROM unnest(${variants.map((one) => one.id)}::text[], ${variants.map(({ text }) => text)}::text[])
      WITH ORDINALITY AS v (id, text, position)`);
}

/** What decides about a campaign, and what it would send. */
export interface Held {
  readonly id: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly disclosures: readonly string[];
  readonly limits: Limits;
  readonly variants: readonly (Variant & { readonly notice: string | null })[];
}

/**
 * A campaign, held until the commit: whatever changes it or sends for it takes turns, on all nodes. It is read by a statement of its own: the one that
 * waits for the lock sees it as it was before it waited. What a caller sends after it in the same breath (Promise.all) runs under the lock too.
 */
export async function lock(tx: Transaction, id: string): Promise<Held | undefined> {
  const [, held] = await Promise.all([
    tx.run(sql`SELECT 1 FROM campaigns WHERE id = ${id} FOR NO KEY UPDATE`),
    tx.first<Held>(sql`SELECT c.id, c.name, c.state, c.disclosures, json_build_object('daily', c.daily_limit, 'total', c.total_limit) AS limits,
        (SELECT json_agg(json_build_object('id', v.id, 'text', v.text, 'notice', v.notice) ORDER BY v.position) FROM campaign_variants v WHERE v.campaign_id = c.id) AS variants
      FROM campaigns c WHERE c.id = ${id}`),
  ]);
  return held;
}

/** Only under `lock`, like all that follows. */
export const setState = (tx: Transaction, id: string, state: CampaignState, now: string): void =>
  tx.send(sql`UPDATE campaigns SET state = ${state}, prepared_at = CASE WHEN ${state}::text = 'prepared' THEN ${now}::timestamptz ELSE prepared_at END,
    stopped_at = CASE WHEN ${state}::text = 'stopped' THEN ${now}::timestamptz END WHERE id = ${id}`);

/** Keeps the notices as they will be sent; returns them. */
export const setNotices = (
  tx: Transaction,
  id: string,
  notices: readonly { readonly variantId: string; readonly text: string }[],
): void =>
  tx.send(sql`UPDATE campaign_variants v SET notice = n.text
    FROM unnest(${notices.map(({ variantId }) => variantId)}::text[], ${notices.map(({ text }) => text)}::text[]) AS n (id, text)
    WHERE v.campaign_id = ${id} AND v.id = n.id`);

/** What was sent; `day` as YYYY-MM-DD. */
export const countSent = async (db: Queryable, id: string, day: string): Promise<Sent> =>
  // An aggregate has always one row.
  (await db.first(
    sql`SELECT count(*) AS total, count(*) FILTER (WHERE day = ${day}::date) AS today FROM campaign_sendings WHERE campaign_id = ${id}`,
  )) as Sent;

/** Which notices, to which rooms; null: all. */
export interface Choice {
  readonly variantIds: readonly string[] | null;
  readonly roomIds: readonly string[] | null;
}

/** A notice that a room accepts and has not got. */
export interface Target {
  readonly variantId: string;
  readonly text: string;
  readonly roomId: string;
  readonly roomName: string;
  readonly roomVisibility: Visibility;
  readonly ownerId: string;
}

const open = (
  id: string,
  { variantIds, roomIds }: Choice,
): Sql => sql`FROM campaign_variants v JOIN rooms r ON r.accepts_notices AND r.visibility = 'public'
  WHERE v.campaign_id = ${id} AND v.notice IS NOT NULL AND (${variantIds}::text[] IS NULL OR v.id = ANY(${variantIds}::text[]))
    AND (${roomIds}::uuid[] IS NULL OR r.id = ANY(${roomIds}::uuid[]))
    AND NOT EXISTS (SELECT 1 FROM campaign_sendings s WHERE s.campaign_id = v.campaign_id AND s.variant_id = v.id AND s.room_id = r.id)`;

/** How many notices could go to rooms that accept them now. */
export const countOpen = async (db: Queryable, id: string, choice: Choice): Promise<number> =>
  (await db.first<{ count: number }>(sql`SELECT count(*) AS count ${open(id, choice)}`))?.count ??
  0;

/** The first of them, in the order of variants and then of rooms. None of these rooms can refuse before the commit: one that just did is left out. */
export const lockTargets = (tx: Transaction, id: string, choice: Choice, most: number) =>
  tx.rows<Target>(sql`SELECT v.id AS "variantId", v.notice AS text, r.id AS "roomId", r.name AS "roomName", r.visibility AS "roomVisibility", r.owner_id AS "ownerId"
    ${open(id, choice)} ORDER BY v.position, r.id LIMIT ${most} FOR SHARE OF r`);

export interface NewSending extends Omit<CampaignSending, 'roomName'> {
  readonly campaignId: string;
}

/** The statement that adds sendings. */
export function insertSendings(rows: readonly NewSending[]): Sql {
  const column = <T>(read: (sending: NewSending) => T): T[] => rows.map(read);
  return sql`INSERT INTO campaign_sendings (id, campaign_id, variant_id, room_id, thread_id, message_id, place, receipt_id, sent_at)
    SELECT * FROM unnest(${column(({ id }) => id)}::uuid[], ${column(({ campaignId }) => campaignId)}::uuid[], ${column(({ variantId }) => variantId)}::text[],
      ${column(({ roomId }) => roomId)}::uuid[], ${column(({ threadId }) => threadId)}::uuid[], ${column(({ messageId }) => messageId)}::uuid[],
      ${column(({ place }) => place)}::text[], ${column(({ receiptId }) => receiptId)}::uuid[], ${column(({ sentAt }) => sentAt)}::timestamptz[])`;
}

/** The sending of a notice to a place elsewhere. */
export const findElsewhere = (db: Queryable, id: string, variantId: string, place: string) =>
  db.first<{ id: string }>(
    sql`SELECT id FROM campaign_sendings WHERE campaign_id = ${id} AND variant_id = ${variantId} AND place = ${place}`,
  );
