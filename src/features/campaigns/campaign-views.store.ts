import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { Campaign } from './schemas.ts';
import { selectSendings } from './sendings.store.ts';

/** Number of sendings that a campaign shows. */
const SHOWN_SENDINGS = 50;

const campaignColumns = sql`
  c.id, c.name, c.purpose, c.audience, c.disclosures, c.state, c.created_at AS "createdAt",
  c.prepared_at AS "preparedAt", c.stopped_at AS "stoppedAt",
  json_build_object(
    'dailyLimit', c.policy_daily, 'totalLimit', c.policy_total, 'overrideLegacyLimits', c.overrides
  ) AS policy,
  json_build_object('daily', c.daily_limit, 'total', c.total_limit) AS limits, v.variants,
  coalesce(v.notices, '[]') AS notices,
  (SELECT count(*) FROM campaign_sendings s WHERE s.campaign_id = c.id) AS "sentCount",
  (
    SELECT coalesce(json_agg(s), '[]')
    FROM (${selectSendings(sql`
      WHERE campaign_id = c.id
      ORDER BY sent_at DESC, id DESC
      LIMIT ${SHOWN_SENDINGS}
    `)}) s
  ) AS sendings
`;

const withVariants = sql`
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('id', v.id, 'text', v.text) ORDER BY v.position) AS variants,
      json_agg(
        json_build_object(
          'variantId', v.id, 'text', v.notice, 'bytes', octet_length(v.notice), 'sha256',
          encode(sha256(convert_to(v.notice, 'UTF8')), 'hex')
        ) ORDER BY v.position
      ) FILTER (WHERE v.notice IS NOT NULL) AS notices
    FROM campaign_variants v
    WHERE v.campaign_id = c.id
  ) v
`;

/** Returns a campaign whose notices are published; undefined if there is none. */
export const findPublic = (db: Queryable, id: string) =>
  db.first<Campaign>(sql`
    SELECT ${campaignColumns}
    FROM campaigns c ${withVariants}
    WHERE c.id = ${id} AND c.prepared_at IS NOT NULL
  `);

async function selectCampaigns(db: Queryable, condition: Sql, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'campaigns',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`FROM campaigns WHERE id = ${id} AND ${condition}`,
  });
  return db.rows<Campaign>(sql`
    SELECT ${campaignColumns}
    FROM (
      SELECT *
      FROM campaigns
      WHERE ${condition} AND ${after} ${orderBy} ${limit}
    ) c ${withVariants}
    ORDER BY c.created_at DESC, c.id DESC
  `);
}

/** Lists the campaigns whose notices are published, newest first. */
export const listPublic = (db: Queryable, page: ListPage) =>
  selectCampaigns(db, sql`prepared_at IS NOT NULL`, page);

/** Lists all campaigns including drafts, newest first. */
export const listAll = (db: Queryable, page: ListPage) => selectCampaigns(db, sql`true`, page);
