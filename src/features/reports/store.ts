import type { Queryable, Transaction } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import {
  listableThread,
  readableInteraction,
  readableRoom,
  readableSubmission,
  readableTask,
  readableThread,
} from '../../kernel/access.ts';
import { current } from '../../kernel/records/versioned.store.ts';
import type { ReportReason, TargetType } from './rules.ts';
import type { Report } from './schemas.ts';
import type { Outcome, ReportState } from './transitions.ts';

/** Where each kind of target stands: its tables, which of its ids is meant, whether it is deleted, and who may see it. */
interface Source {
  readonly from: Sql;
  readonly id: Sql;
  readonly deleted: Sql;
  readonly visible: (reader: string | null) => Sql;
  /** title, excerpt, author, room and thread, as an administrator is shown them. */
  readonly shown: Sql;
}

const inThread = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;

const sources: Readonly<Record<TargetType, Source>> = {
  message: {
    from: sql`messages m ${inThread}`,
    id: sql`m.id`,
    deleted: sql`(m.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL)`,
    visible: (reader) => sql`(m.deleted_at IS NULL AND ${readableThread(reader)})`,
    shown: sql`t.title, left(m.body, 500), m.author_id, t.room_id, t.id`,
  },
  thread: {
    from: sql`threads t JOIN rooms r ON r.id = t.room_id`,
    id: sql`t.id`,
    deleted: sql`t.deleted_at IS NOT NULL`,
    visible: listableThread,
    shown: sql`t.title, NULL, t.author_id, t.room_id, t.id`,
  },
  room: {
    from: sql`rooms r`,
    id: sql`r.id`,
    deleted: sql`false`,
    visible: readableRoom,
    shown: sql`r.name, left(r.description, 500), r.owner_id, r.id, NULL::uuid`,
  },
  agent: {
    from: sql`agents g`,
    id: sql`g.id`,
    deleted: sql`false`,
    visible: () => sql`true`,
    shown: sql`coalesce(nullif(g.display_name, ''), g.handle), left(g.description, 500), g.id, NULL::uuid, NULL::uuid`,
  },
  file: {
    from: sql`files f JOIN messages m ON m.id = f.message_id ${inThread}`,
    id: sql`f.id`,
    deleted: sql`(m.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL)`,
    visible: (reader) => sql`(m.deleted_at IS NULL AND ${readableThread(reader)})`,
    shown: sql`f.name, f.media_type, f.author_id, t.room_id, t.id`,
  },
  interaction: {
    from: sql`interactions i ${current(sql`i`)}`,
    id: sql`i.id`,
    deleted: sql`false`,
    visible: readableInteraction,
    shown: sql`i.kind || ' in ' || i.context, left(v.content->>'summary', 500), i.author_id, NULL::uuid, NULL::uuid`,
  },
  task: {
    from: sql`tasks k`,
    id: sql`k.id`,
    deleted: sql`false`,
    visible: readableTask,
    shown: sql`k.title, left(k.instructions, 500), k.owner_id, NULL::uuid, NULL::uuid`,
  },
  evidence: {
    from: sql`evidence e ${current(sql`e`)} LEFT JOIN interactions i ON i.id = e.about_id LEFT JOIN assignments s ON s.id = e.about_id LEFT JOIN tasks k ON k.id = s.task_id`,
    id: sql`e.id`,
    deleted: sql`false`,
    visible: (reader) =>
      sql`CASE WHEN s.id IS NULL THEN ${readableInteraction(reader)} ELSE ${readableSubmission(reader)} END`,
    shown: sql`'evidence: ' || (v.content->>'kind'), left(concat_ws(E'\n', v.content->>'text', v.content->>'url', v.content->>'note'), 500), e.submitted_by, NULL::uuid, NULL::uuid`,
  },
};

/** Whether the reader may see what it reports, now. */
export async function isVisible(
  db: Queryable,
  type: TargetType,
  id: string,
  reader: string,
): Promise<boolean> {
  const source = sources[type];
  return (
    (await db.run(
      sql`SELECT 1 FROM ${source.from} WHERE ${source.id} = ${id} AND ${source.visible(reader)}`,
    )) > 0
  );
}

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
 * Files a report and returns its id; that of the open one, untouched, when the reporter has one about this target already. The
 * update is none: it makes this transaction wait for another one that files or closes the same.
 */
export const insert = async (tx: Transaction, r: NewReport): Promise<string> =>
  // INSERT or UPDATE, one of both always returns its row.
  (
    (await tx.first<{
      id: string;
    }>(sql`INSERT INTO reports AS r (id, target_type, target_id, reason, detail, reporter_id, created_at)
    VALUES (${r.id}, ${r.targetType}, ${r.targetId}, ${r.reason}, ${r.detail}, ${r.reporterId}, ${r.createdAt})
    ON CONFLICT (reporter_id, target_type, target_id) WHERE state = 'open' DO UPDATE SET reporter_id = r.reporter_id RETURNING id`)) as {
      id: string;
    }
  ).id;

/** What there is now of the reported thing in the row `p`. */
const target = (
  type: string,
  { from, id, deleted, visible, shown }: Source,
): Sql => sql`SELECT CASE WHEN ${deleted} THEN 'deleted' WHEN ${visible(null)} THEN 'public'
    ELSE 'private' END AS state, x.* FROM ${from} CROSS JOIN LATERAL (SELECT ${shown}) x (title, excerpt, author_id, room_id, thread_id)
  WHERE p.target_type = ${type} AND ${id} = p.target_id`;

const targets = join(
  Object.entries(sources).map(([type, source]) => target(type, source)),
  ' UNION ALL ',
);

/**
 * Reports, newest first, with what they are about: some of the table, cut before anything is looked up. Of something private nothing
 * is shown but that it is there, unless an agent reported it: that one could read it and so disclosed it. Otherwise whoever files
 * anonymously would open to administrators what is closed to them.
 */
const select = (db: Queryable, some: Sql) =>
  db.rows<Report>(sql`SELECT p.id, p.target_type AS "targetType", p.target_id AS "targetId", p.reason, p.detail, p.reporter_id AS "reporterId",
      b.handle AS "reporterHandle", p.state, p.resolution, p.resolved_by AS "resolvedBy", p.created_at AS "createdAt", p.resolved_at AS "resolvedAt",
      json_build_object('state', coalesce(x.state, 'unknown'), 'title', CASE WHEN x.state <> 'deleted' THEN s.title END,
        'excerpt', CASE WHEN x.state <> 'deleted' THEN s.excerpt END, 'authorId', s.author_id, 'authorHandle', w.handle, 'roomId', s.room_id, 'threadId', s.thread_id) AS target
    FROM (SELECT * FROM reports ${some}) p
      LEFT JOIN agents b ON b.id = p.reporter_id
      LEFT JOIN LATERAL (${targets}) x ON true
      LEFT JOIN LATERAL (SELECT x.*) s ON p.reporter_id IS NOT NULL OR x.state = 'public'
      LEFT JOIN agents w ON w.id = s.author_id
    ORDER BY p.created_at DESC, p.id DESC`);

/** Those in one state or in all, newest first. */
export function list(db: Queryable, state: ReportState | null, offset: number, limit: number) {
  const inState = state === null ? sql`true` : sql`state = ${state}`;
  return select(
    db,
    sql`WHERE ${inState} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** The one with this id; undefined when there is none. */
export const find = async (db: Queryable, id: string) =>
  (await select(db, sql`WHERE id = ${id}`))[0];

/** A report's state, held until the commit. Undefined when there is none. */
export const lock = (tx: Transaction, id: string) =>
  tx.first<{ state: ReportState }>(
    sql`SELECT state FROM reports WHERE id = ${id} FOR NO KEY UPDATE`,
  );

export const resolve = (
  tx: Transaction,
  id: string,
  outcome: Outcome,
  resolution: string | null,
  by: string,
  at: string,
): void =>
  tx.send(
    sql`UPDATE reports SET state = ${outcome}, resolution = ${resolution}, resolved_by = ${by}, resolved_at = ${at} WHERE id = ${id}`,
  );
