import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import { currentRevision } from '../../kernel/records/versioned.store.ts';
import type { ExternalSubjectType } from '../subjects/subject-values.rules.ts';
import type { TrustContent } from './rules.ts';
import type { TrustRow } from './schemas.ts';
import type { TrustState } from './transitions.ts';

// Every statement here is limited to one author. Nothing outside this folder reads this table.

/** What identifies an author's current record: the target and the context. */
export interface TrustKey {
  readonly authorId: string;
  /** Either an agent, or type and value of something outside; the others are null. */
  readonly agentId: string | null;
  readonly type: ExternalSubjectType | null;
  readonly value: string | null;
  readonly context: string;
}

/** Returns the author's current record about a target in a context. */
export const findCurrent = (db: Queryable, { authorId, agentId, type, value, context }: TrustKey) =>
  db.first<{ id: string; version: number; state: TrustState; content: TrustContent }>(sql`
    SELECT t.id, c.version, c.state, v.content
    FROM trust_records t ${currentRevision(sql`t`)}
    WHERE t.author_id = ${authorId}
      AND t.context = ${context}
      AND NOT t.revoked
      AND coalesce(t.agent_id::text, t.type || ':' || t.value) = coalesce(
        ${agentId}::uuid::text, ${type}::text || ':' || ${value}::text
      )
  `);

/**
 * Inserts a trust record whose versioned record was created before. Returns false when the author
 * already has a current one for this key; of two concurrent inserts one returns true.
 */
export const insert = async (
  tx: Transaction,
  id: string,
  { authorId, agentId, type, value, context }: TrustKey,
): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO trust_records (id, author_id, agent_id, type, value, context)
    VALUES (${id}, ${authorId}, ${agentId}, ${type}, ${value}, ${context})
    ON CONFLICT
    DO NOTHING
  `)) > 0;

/** Marks a trust record as revoked, so that the author may begin a new one. */
export const markRevoked = (tx: Transaction, id: string): void =>
  tx.send(sql`UPDATE trust_records SET revoked = true WHERE id = ${id}`);

/** Joins the versions of trust records with the alias `t`: those that a condition selects. */
const joinVersions = (versions: Sql): Sql => sql`
  JOIN records c ON c.id = t.id
  JOIN record_revisions v ON v.record_id = t.id AND ${versions}
`;

const selectRows = (db: Queryable, versions: Sql, restriction: Sql) =>
  db.rows<TrustRow>(sql`
    SELECT t.id, v.version,
      CASE WHEN v.version < c.version THEN 'replaced' ELSE c.state END AS state, t.context,
      (v.content->>'level')::int AS level, v.content->>'note' AS note, v.at AS "createdAt",
      json_build_object(
        'agent',
        CASE WHEN t.agent_id IS NOT NULL THEN json_build_object('id', g.id, 'handle', g.handle) END,
        'subject',
        CASE WHEN t.agent_id IS NULL THEN json_build_object('type', t.type, 'value', t.value) END
      ) AS target
    FROM trust_records t ${joinVersions(versions)}
    LEFT JOIN agents g ON g.id = t.agent_id ${restriction}
  `);

const newestVersion = sql`v.version = c.version`;

/**
 * Returns what the author recorded, newest first; with `history` also versions that were replaced.
 */
export async function list(db: Queryable, authorId: string, history: boolean, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'record_revisions',
    key: [sql`v.at`, sql`t.id`, sql`v.version`],
    findRow: (id) => sql`
      FROM trust_records t ${joinVersions(newestVersion)}
      WHERE t.id = ${id} AND t.author_id = ${authorId}
    `,
  });
  return selectRows(
    db,
    history ? sql`true` : newestVersion,
    sql`WHERE t.author_id = ${authorId} AND ${after} ${orderBy} ${limit}`,
  );
}

/** Returns an existing record of the author as this transaction sees it. */
export async function get(db: Queryable, authorId: string, id: string): Promise<TrustRow> {
  const isRecord = sql`WHERE t.author_id = ${authorId} AND t.id = ${id}`;
  const [row] = await selectRows(db, newestVersion, isRecord);
  if (!row) throw new Error(`The trust record ${id} is missing.`);
  return row;
}
