import type { Queryable, Transaction } from '../../db/database.ts';
import { empty, type Sql, sql } from '../../db/sql.ts';
import type { Visibility } from '../../kernel/access.ts';

/** The notices and the rooms of a dispatch; null means all. */
export interface DispatchChoice {
  readonly variantIds: readonly string[] | null;
  readonly roomIds: readonly string[] | null;
}

/** A notice, and a room that accepts it and did not get it yet. */
export interface DispatchTarget {
  readonly variantId: string;
  readonly text: string;
  readonly roomId: string;
  readonly roomName: string;
  readonly roomVisibility: Visibility;
  readonly ownerId: string;
}

/**
 * The notices `v` and the rooms `r` of a dispatch, joined with more. What a blocked owner accepted
 * does not count, because it cannot end it.
 */
const openTargets = (
  id: string,
  { variantIds, roomIds }: DispatchChoice,
  more: Sql = empty,
): Sql => sql`
  FROM campaign_variants v
  JOIN rooms r ON r.accepts_notices AND r.visibility = 'public' AND r.archived_at IS NULL
  JOIN agents o ON o.id = r.owner_id AND NOT o.blocked ${more}
  WHERE v.campaign_id = ${id}
    AND v.notice IS NOT NULL
    AND (${variantIds}::text[] IS NULL OR v.id = ANY(${variantIds}::text[]))
    AND (${roomIds}::uuid[] IS NULL OR r.id = ANY(${roomIds}::uuid[]))
    AND NOT EXISTS (
      SELECT 1
      FROM campaign_sendings s
      WHERE s.campaign_id = v.campaign_id AND s.variant_id = v.id AND s.room_id = r.id
    )
`;

/** Counts the notices that could still go to rooms that accept them now. */
export async function countTargets(
  db: Queryable,
  id: string,
  choice: DispatchChoice,
): Promise<number> {
  const found = await db.first<{ count: number }>(
    sql`SELECT count(*) AS count ${openTargets(id, choice)}`,
  );
  return found?.count ?? 0;
}

/**
 * Lists the first `max` notices that could still go to rooms, by variant, and locks the rooms.
 * Rooms of owners that got fewer notices of the variant come first, so that nobody takes up a
 * campaign with many rooms of their own. The owners of these rooms cannot end notices before the
 * transaction ends; a room that just ended them is left out.
 */
export const lockTargets = (tx: Transaction, id: string, choice: DispatchChoice, max: number) =>
  tx.rows<DispatchTarget>(sql`
    WITH sent AS MATERIALIZED (
      SELECT s.variant_id, x.owner_id, count(*) AS count
      FROM campaign_sendings s
      JOIN rooms x ON x.id = s.room_id
      WHERE s.campaign_id = ${id}
      GROUP BY s.variant_id, x.owner_id
    ),
      targets AS MATERIALIZED (
        SELECT v.id AS variant_id, v.position, r.id AS room_id, r.owner_id,
          row_number() OVER (PARTITION BY v.id, r.owner_id ORDER BY r.id) AS nr
        ${openTargets(id, choice)}
      ),
      turns AS MATERIALIZED (
        SELECT t.variant_id, t.room_id, t.position, t.nr + coalesce(s.count, 0) AS turn
        FROM targets t
        LEFT JOIN sent s USING (variant_id, owner_id)
        ORDER BY t.position, turn, t.room_id
        LIMIT ${max}
      )
    SELECT v.id AS "variantId", v.notice AS text, r.id AS "roomId", r.name AS "roomName",
      r.visibility AS "roomVisibility", r.owner_id AS "ownerId"
    ${openTargets(id, choice, sql`JOIN turns n ON n.variant_id = v.id AND n.room_id = r.id`)}
    ORDER BY n.position, n.turn, r.id
    FOR NO KEY UPDATE OF r
  `);
