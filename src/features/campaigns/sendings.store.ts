import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { CampaignSending } from './notices.schemas.ts';
import type { SentCounts } from './rules.ts';

const sendingColumns = sql`
  s.id, s.variant_id AS "variantId", s.room_id AS "roomId", r.name AS "roomName",
  s.thread_id AS "threadId", s.message_id AS "messageId", s.place,
  to_char(s.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "sentAt",
  s.receipt_id AS "receiptId"
`;

/** The statement that lists sendings of a restriction (WHERE, ORDER BY, LIMIT), newest first. */
export const selectSendings = (restriction: Sql): Sql => sql`
  SELECT ${sendingColumns}
  FROM (
    SELECT *
    FROM campaign_sendings ${restriction}
  ) s
  LEFT JOIN rooms r ON r.id = s.room_id
  ORDER BY s.sent_at DESC, s.id DESC
`;

/** Lists the sendings of a campaign, newest first. */
export async function listSendings(db: Queryable, campaignId: string, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'campaign_sendings',
    key: [sql`sent_at`, sql`id`],
    findRow: (id) => sql`FROM campaign_sendings WHERE id = ${id} AND campaign_id = ${campaignId}`,
  });
  return db.rows<CampaignSending>(
    selectSendings(sql`WHERE campaign_id = ${campaignId} AND ${after} ${orderBy} ${limit}`),
  );
}

/**
 * Counts the sendings of a campaign: all of them, and those of `day` (YYYY-MM-DD). Like everything
 * below, it needs the lock of the campaign (`lock` in store.ts) to stay true until the commit.
 */
export async function countSent(db: Queryable, id: string, day: string): Promise<SentCounts> {
  const counts = await db.first<SentCounts>(sql`
    SELECT count(*) AS total, count(*) FILTER (WHERE day = ${day}::date) AS today
    FROM campaign_sendings
    WHERE campaign_id = ${id}
  `);
  return counts ?? { total: 0, today: 0 };
}

/** A sending to insert. */
export interface NewSending extends Omit<CampaignSending, 'roomName'> {
  readonly campaignId: string;
}

/** The statement that inserts sendings. */
export function insertSendings(rows: readonly NewSending[]): Sql {
  return sql`
    INSERT INTO campaign_sendings (
      id, campaign_id, variant_id, room_id, thread_id, message_id, place, receipt_id, sent_at
    )
    SELECT *
    FROM ${unnestRows(rows, [
      ['uuid', ({ id }) => id],
      ['uuid', ({ campaignId }) => campaignId],
      ['text', ({ variantId }) => variantId],
      ['uuid', ({ roomId }) => roomId],
      ['uuid', ({ threadId }) => threadId],
      ['uuid', ({ messageId }) => messageId],
      ['text', ({ place }) => place],
      ['uuid', ({ receiptId }) => receiptId],
      ['timestamptz', ({ sentAt }) => sentAt],
    ])}
  `;
}

/** Returns the sending of a notice to another place; undefined if there is none. */
export const findElsewhere = (db: Queryable, id: string, variantId: string, place: string) =>
  db.first<{ id: string }>(sql`
    SELECT id
    FROM campaign_sendings
    WHERE campaign_id = ${id} AND variant_id = ${variantId} AND place = ${place}
  `);
