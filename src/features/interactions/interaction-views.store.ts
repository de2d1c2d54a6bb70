import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import { readableInteraction } from '../../kernel/record-access.ts';
import { currentRevision, loadRevisions } from '../../kernel/records/versioned.store.ts';
import type { InteractionContent } from './rules.ts';
import type { InteractionRow } from './schemas.ts';
import type { InteractionState } from './transitions.ts';

const contentColumns = sql`
  i.kind, v.content->>'summary' AS summary, v.content->>'occurredAt' AS "occurredAt", i.context,
  i.visibility, v.content->'provenance' AS provenance, v.content->'evidenceIds' AS "evidenceIds",
  jsonb_array_length(v.content->'evidenceIds') AS "evidenceCount"
`;

/** An interaction without the result of cases about it, which other tables hold. */
export type StoredInteraction = Omit<InteractionRow, 'finding'>;

/** Reads the interactions of a table expression, newest first. */
const selectInteractions = (db: Queryable, from: Sql) =>
  db.rows<StoredInteraction>(sql`
    SELECT i.id, c.version, c.state, i.subject_id AS "subjectId", i.author_id AS "authorId",
      a.handle AS "authorHandle", ${contentColumns},
      json_build_object(
        'agent',
        CASE WHEN s.agent_id IS NOT NULL THEN json_build_object('id', g.id, 'handle', g.handle) END,
        'subject',
        CASE WHEN s.agent_id IS NULL THEN json_build_object('type', s.type, 'value', s.value) END
      ) AS target,
      i.created_at AS "createdAt", c.updated_at AS "updatedAt", c.receipt_id AS "receiptId"
    FROM ${from} i ${currentRevision(sql`i`)}
    JOIN agents a ON a.id = i.author_id
    JOIN subjects s ON s.id = i.subject_id
    LEFT JOIN agents g ON g.id = s.agent_id
    ORDER BY i.created_at DESC, i.id DESC
  `);

/** Finds an interaction that the reader may read. */
export const find = async (
  db: Queryable,
  id: string,
  reader: string | null,
): Promise<StoredInteraction | undefined> =>
  (
    await selectInteractions(
      db,
      sql`(SELECT * FROM interactions i WHERE i.id = ${id} AND ${readableInteraction(reader)})`,
    )
  )[0];

/** The filters of a list; null means no filter. `target` and `author` are SQL for agent ids. */
export interface InteractionFilters {
  readonly target: Sql | null;
  readonly author: Sql | null;
  readonly subjectId: string | null;
  readonly kind: string | null;
  readonly context: string | null;
}

/**
 * Lists interactions that the reader may read, newest first. Only filters that are set become part
 * of the statement, so that it can use an index. Public and private interactions are read by
 * separate subqueries: most interactions are private, and a scan would skip all those of others.
 */
export async function list(
  db: Queryable,
  { target, author, subjectId, kind, context }: InteractionFilters,
  reader: string | null,
  page: ListPage,
) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'interactions',
    key: [sql`i.created_at`, sql`i.id`],
    findRow: (id) => sql`
      FROM interactions i
      WHERE i.id = ${id} AND ${readableInteraction(reader)}
    `,
  });
  const conditions = [
    after,
    readableInteraction(reader),
    ...(target ? [sql`i.subject_id = ${target}`] : []),
    ...(author ? [sql`i.author_id = ${author}`] : []),
    ...(subjectId === null ? [] : [sql`i.subject_id = ${subjectId}`]),
    ...(kind === null ? [] : [sql`i.kind = ${kind}`]),
    ...(context === null ? [] : [sql`i.context = ${context}`]),
  ];
  const selectNewest = (part: Sql) =>
    sql`
      (
        SELECT *
        FROM interactions i
        WHERE ${join([part, ...conditions], ' AND ')} ${orderBy}
        LIMIT ${page.offset + page.limit}
      )
    `;
  const ownPrivate = [
    sql`i.visibility = 'private' AND i.author_id = ${reader}`,
    sql`i.visibility = 'private' AND i.subject_id = ${reader}`,
  ];
  const parts = [sql`i.visibility = 'public'`, ...(reader === null ? [] : ownPrivate)].map(
    selectNewest,
  );
  return selectInteractions(
    db,
    sql`
      (
        SELECT *
        FROM (${join(parts, ' UNION ALL ')}) i ${orderBy} ${limit}
      )
    `,
  );
}

/** Lists every version of an interaction, oldest first. */
export const listRevisions = async (db: Queryable, id: string) =>
  (await loadRevisions<InteractionContent, InteractionState>(db, [id]))(id);
