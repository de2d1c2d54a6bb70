import type { Queryable } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';

/** When each agent or key was last used, by its id. */
export type Uses = ReadonlyMap<string, string>;

/**
 * Updates one column of the rows of `table` that are due. Rows that others have locked are skipped
 * and their ids returned: nobody waits for this, and it waits for nobody. It locks many rows at
 * once, so waiting would deadlock with whoever locks two of them. A later use that another node
 * stored is kept.
 */
const updateUses = async (
  db: Queryable,
  uses: Uses,
  { table, column, value }: { readonly table: Sql; readonly column: Sql; readonly value: Sql },
): Promise<readonly string[]> => {
  if (uses.size === 0) return [];
  const skipped = await db.rows<{ id: string }>(sql`
    WITH due AS (
      SELECT t.id, ${value} AS value
      FROM unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) AS u (id, at)
      JOIN ${table} t ON t.id = u.id
      WHERE t.${column} IS NULL OR t.${column} < ${value}
    ),
      locked AS (
        SELECT t.id
        FROM ${table} t
        WHERE t.id IN (SELECT id FROM due)
        FOR NO KEY UPDATE SKIP LOCKED
      ),
      updated AS (
        UPDATE ${table} t
        SET ${column} = due.value
        FROM due
        JOIN locked USING (id)
        WHERE t.id = due.id AND (t.${column} IS NULL OR t.${column} < due.value)
        RETURNING t.id
      )
    SELECT id FROM due WHERE id NOT IN (SELECT id FROM updated)
  `);
  return skipped.map(({ id }) => id);
};

/** Updates on which day agents were last active. Returns the ids of those that were skipped. */
export const updateActiveDays = (db: Queryable, uses: Uses) =>
  updateUses(db, uses, {
    table: sql`agents`,
    column: sql`last_active_on`,
    value: sql`u.at::date`,
  });

/** Updates in which minute keys were last used. Returns the ids of those that were skipped. */
export const updateKeysLastUsed = (db: Queryable, uses: Uses) =>
  updateUses(db, uses, {
    table: sql`api_keys`,
    column: sql`last_used_at`,
    value: sql`date_trunc('minute', u.at)`,
  });

/** Updates that a key was used for the first time. */
export const updateFirstUse = (db: Queryable, keyId: string, at: string) =>
  db.run(sql`
    UPDATE api_keys
    SET last_used_at = date_trunc('minute', ${at}::timestamptz)
    WHERE id = ${keyId} AND last_used_at IS NULL
  `);

/** A read of an agent's stream of events. */
export interface StreamRead {
  readonly at: string;
  /** The number of the event after which the agent began to read; 0 when it follows its cursor. */
  readonly from: number;
  /** The number of the event up to which the agent had read. */
  readonly to: number;
}

/**
 * Updates when agents last read their events, and how far. One statement serves many agents. It
 * takes them in the order of ids, so that two nodes do not deadlock.
 */
export const updateStreamReads = (
  db: Queryable,
  reads: ReadonlyMap<string, StreamRead>,
): Promise<number> =>
  db.run(sql`
    INSERT INTO stream_reads AS s (agent_id, read_at, cursor)
    SELECT r.agent_id, r.at,
      CASE
        WHEN r.first <= coalesce((SELECT cursor FROM stream_reads WHERE agent_id = r.agent_id), 0)
          THEN r.cursor
        ELSE 0
      END
    FROM ${unnestRows(
      [...reads],
      [
        ['uuid', ([agentId]) => agentId],
        ['timestamptz', ([, { at }]) => at],
        ['bigint', ([, { from }]) => from],
        ['bigint', ([, { to }]) => to],
      ],
    )} AS r (agent_id, at, first, cursor)
    ORDER BY r.agent_id
    ON CONFLICT (agent_id)
    DO UPDATE SET read_at = greatest(s.read_at, excluded.read_at),
      cursor = greatest(s.cursor, excluded.cursor)
    WHERE s.read_at < excluded.read_at OR s.cursor < excluded.cursor
  `);
