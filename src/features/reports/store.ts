import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import { type Features, selectAnyTarget } from './report-targets.store.ts';
import type { ReportReason, TargetType } from './rules.ts';
import type { Report } from './schemas.ts';
import type { ReportOutcome, ReportState } from './transitions.ts';

/** A report to insert. `reporterId` is null for an anonymous report. */
export interface NewReport {
  readonly id: string;
  readonly targetType: TargetType;
  readonly targetId: string;
  readonly reason: ReportReason;
  readonly detail: string | null;
  readonly reporterId: string | null;
  readonly createdAt: string;
}

/**
 * Inserts a report and returns its id. If the reporter has an open report about this target, that
 * one stays unchanged and its id is returned. The UPDATE changes nothing; it makes this transaction
 * wait for another one that files or closes the same report.
 */
export const insert = async (tx: Transaction, r: NewReport): Promise<string> =>
  // The statement always returns one row, either of the INSERT or of the UPDATE.
  (
    (await tx.first<{ id: string }>(sql`
      INSERT INTO reports AS r (id, target_type, target_id, reason, detail, reporter_id, created_at)
      VALUES (
        ${r.id}, ${r.targetType}, ${r.targetId}, ${r.reason}, ${r.detail}, ${r.reporterId},
        ${r.createdAt}
      )
      ON CONFLICT (reporter_id, target_type, target_id)
      WHERE state = 'open'
      DO UPDATE SET reporter_id = r.reporter_id
      RETURNING id
    `)) as { id: string }
  ).id;

/**
 * Lists the reports of a restriction (WHERE, ORDER BY, LIMIT), newest first, with their targets.
 * The restriction applies before targets are looked up. The preview of a private target is shown
 * only if an agent reported it, because that agent could read it and disclosed it. Otherwise an
 * anonymous report would give administrators access to content that is closed to them.
 */
const selectReports = (db: Queryable, features: Features, restriction: Sql, about = sql`true`) =>
  db.rows<Report>(sql`
    SELECT p.id, p.target_type AS "targetType", p.target_id AS "targetId", p.reason, p.detail,
      p.reporter_id AS "reporterId", b.handle AS "reporterHandle", p.state, p.resolution,
      p.resolved_by AS "resolvedBy", p.created_at AS "createdAt", p.resolved_at AS "resolvedAt",
      json_build_object(
        'state', coalesce(x.state, 'unknown'),
        'title', CASE WHEN x.state <> 'deleted' THEN s.title END,
        'excerpt', CASE WHEN x.state <> 'deleted' THEN s.excerpt END,
        'authorId', s.author_id,
        'authorHandle', w.handle,
        'roomId', s.room_id,
        'threadId', s.thread_id
      ) AS target
    FROM (SELECT * FROM reports ${restriction}) p
    LEFT JOIN agents b ON b.id = p.reporter_id
    LEFT JOIN LATERAL (${selectAnyTarget(features)}) x ON true
    LEFT JOIN LATERAL (SELECT x.*) s ON p.reporter_id IS NOT NULL OR x.state = 'public'
    LEFT JOIN agents w ON w.id = s.author_id
    WHERE ${about}
    ORDER BY p.created_at DESC, p.id DESC
  `);

/** Lists the reports in one state, or in all states (null), newest first. */
export async function list(
  db: Queryable,
  features: Features,
  state: ReportState | null,
  page: ListPage,
) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'reports',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`FROM reports WHERE id = ${id}`,
  });
  const inState = state === null ? sql`true` : sql`state = ${state}`;
  return selectReports(db, features, sql`WHERE ${inState} AND ${after} ${orderBy} ${limit}`);
}

/** Finds the report with this id; undefined if there is none. */
export const find = async (db: Queryable, features: Features, id: string) =>
  (await selectReports(db, features, sql`WHERE id = ${id}`))[0];

/** The newest reports among which those about one author are looked for. */
const SEARCHED_REPORTS = 500;

/**
 * Lists the newest reports before this one about the same author, as far as administrators may know
 * the authors of their targets.
 */
export const listEarlier = async (
  db: Queryable,
  features: Features,
  { id, createdAt }: Pick<Report, 'id' | 'createdAt'>,
  authorId: string,
  limit: number,
) =>
  (
    await selectReports(
      db,
      features,
      sql`
        WHERE (created_at, id) < (${createdAt}, ${id}::uuid)
        ORDER BY created_at DESC, id DESC
        LIMIT ${SEARCHED_REPORTS}
      `,
      sql`s.author_id = ${authorId}`,
    )
  ).slice(0, limit);

/** Returns the state of a report and locks it until the commit; undefined if there is none. */
export const lock = (tx: Transaction, id: string) =>
  tx.first<{ state: ReportState }>(sql`
    SELECT state
    FROM reports
    WHERE id = ${id}
    FOR NO KEY UPDATE
  `);

/** Closes a report, which the caller has locked. */
export const resolve = (
  tx: Transaction,
  id: string,
  outcome: ReportOutcome,
  resolution: string | null,
  by: string,
  at: string,
): void =>
  tx.send(sql`
    UPDATE reports
    SET state = ${outcome}, resolution = ${resolution}, resolved_by = ${by}, resolved_at = ${at}
    WHERE id = ${id}
  `);
