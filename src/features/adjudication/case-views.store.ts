import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import { isCaseAbout, readableCase } from '../../kernel/record-access.ts';
import { buildCaseFilters, type CaseFilter } from './case-filters.store.ts';
import type { CaseRow } from './schemas.ts';

const selectCases = (db: Queryable, from: Sql) =>
  db.rows<CaseRow>(sql`
    SELECT k.id, k.version, k.state,
      json_build_object(
        'type', k.subject_kind, 'id', k.subject_id, 'version', r.frozen#>'{subject,version}'
      ) AS subject,
      CASE k.subject_kind
        WHEN 'interaction' THEN
          'Did it happen as version ' || (r.frozen#>>'{subject,version}') ||
          ' of the interaction says?'
        ELSE 'Does the work satisfy the rubric?'
      END AS asks,
      k.question, k.visibility, k.opened_by AS "openedBy", a.handle AS "openedByHandle",
      r.number AS round, r.opens_at AS "opensAt", r.closes_at AS "closesAt", k.result,
      k.created_at AS "createdAt", k.updated_at AS "updatedAt", k.receipt_id AS "receiptId"
    FROM ${from} k
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.state <> 'superseded'
    LEFT JOIN agents a ON a.id = k.opened_by
    ORDER BY k.created_at DESC, k.id DESC
  `);

/** Returns the case; undefined if there is none that the reader may read. */
export async function find(
  db: Queryable,
  id: string,
  reader: string | null,
): Promise<CaseRow | undefined> {
  const [found] = await selectCases(
    db,
    sql`(SELECT * FROM adjudication_cases k WHERE k.id = ${id} AND ${readableCase(reader)})`,
  );
  return found;
}

/**
 * Lists the cases of a filter that the reader may read, newest first. Public and private cases are
 * read by separate subqueries, so that private ones of others are not walked.
 */
export async function list(
  db: Queryable,
  filter: CaseFilter,
  reader: string | null,
  page: ListPage,
) {
  const alternatives = buildCaseFilters(filter, reader);
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'adjudication_cases',
    key: [sql`k.created_at`, sql`k.id`],
    findRow: (id) => sql`
      FROM adjudication_cases k
      WHERE k.id = ${id} AND ${readableCase(reader)} AND ${isCaseAbout(filter.subjectKinds)}
    `,
  });
  const parts = [
    sql`k.visibility = 'public'`,
    sql`k.visibility = 'private' AND (k.parties || k.readers) @> ARRAY[${reader}::uuid]`,
  ];
  const selectNewest = (part: Sql, matching: Sql) => sql`
    (
      SELECT *
      FROM adjudication_cases k
      WHERE ${part} AND ${readableCase(reader)} AND ${matching} AND ${after} ${orderBy}
      LIMIT ${page.offset + page.limit}
    )
  `;
  const sources = parts.flatMap((part) =>
    alternatives.map((matching) => selectNewest(part, matching)),
  );
  return selectCases(
    db,
    sql`
      (
        SELECT *
        FROM (${join(sources, ' UNION ALL ')}) k ${orderBy} ${limit}
      )
    `,
  );
}

/**
 * Lists the agents that are parties now, ordered by id: those of a round, by their ids, and whoever
 * took a slot of the task that the judged submission belongs to.
 */
export const listParties = (db: Queryable, ids: readonly string[], subjectId: string) =>
  db.rows<{ id: string; handle: string }>(sql`
    SELECT id, handle
    FROM agents
    WHERE id = ANY(${ids}::uuid[])
      OR id IN (
        SELECT w.agent_id
        FROM assignments s
        JOIN assignments w ON w.task_id = s.task_id
        WHERE s.id = ${subjectId}
      )
    ORDER BY id
  `);
