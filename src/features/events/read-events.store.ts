import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Agents and events that one statement looks at. */
const AGENTS = 200;
const EVENTS_OF_AGENT = 500;

/** What a slice of the work did. */
export interface RemovedEvents {
  readonly removed: number;
  /** The last agent that was looked at; null when there was none. */
  readonly last: string | null;
  /** Whether an agent may have more events to remove. */
  readonly isCut: boolean;
}

/**
 * Deletes events that are older than `before` and that their agents have read, of the next agents
 * after one. An event stays as long as an earlier one of its agent does: what is left has no gaps.
 */
export async function deleteReadEvents(
  db: Queryable,
  after: string,
  before: string,
): Promise<RemovedEvents> {
  const row = await db.first<RemovedEvents>(sql`
    WITH readers AS MATERIALIZED (
      SELECT agent_id, cursor
      FROM stream_reads
      WHERE agent_id > ${after}
      ORDER BY agent_id
      LIMIT ${AGENTS}
    ),
      old AS MATERIALIZED (
        SELECT r.agent_id, s.last, s.last - oldest.seq + 1 AS count
        FROM readers r
        CROSS JOIN LATERAL (
          SELECT seq, created_at
          FROM events
          WHERE agent_id = r.agent_id
          ORDER BY seq
          LIMIT 1
        ) oldest
        CROSS JOIN LATERAL (
          SELECT coalesce(min(seq) FILTER (WHERE created_at >= ${before}) - 1, max(seq)) AS last
          FROM (
            SELECT seq, created_at
            FROM events
            WHERE agent_id = r.agent_id
            ORDER BY seq
            LIMIT ${EVENTS_OF_AGENT}
          ) e
          WHERE e.seq <= r.cursor
        ) s
        WHERE oldest.created_at < ${before} AND oldest.seq <= r.cursor
      ),
      deleted AS (
        DELETE FROM events e
        USING old o
        WHERE e.agent_id = o.agent_id AND e.seq <= o.last
        RETURNING 1
      )
    SELECT (SELECT count(*) FROM deleted)::int AS removed,
      (SELECT agent_id FROM readers ORDER BY agent_id DESC LIMIT 1) AS last,
      coalesce((SELECT max(count) FROM old), 0) = ${EVENTS_OF_AGENT} AS "isCut"
  `);
  return row ?? { removed: 0, last: null, isCut: false };
}
