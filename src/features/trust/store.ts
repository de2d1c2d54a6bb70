import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { current } from '../../kernel/records/versioned.store.ts';
import type { SubjectType } from '../subjects/rules.ts';
import type { TrustContent } from './rules.ts';
import type { TrustRow } from './schemas.ts';
import type { TrustState } from './transitions.ts';

// Every statement here is bound to the author. Nothing outside this folder asks for this table.

export interface Place {
  readonly authorId: string;
  /** Either an agent, or type and value of something outside. */
  readonly agentId: string | null;
  readonly type: SubjectType | null;
  readonly value: string | null;
  readonly context: string;
}

/** The author's current record about a target in a context. */
export const findCurrent = (db: Queryable, { authorId, agentId, type, value, context }: Place) =>
  db.first<{
    id: string;
    version: number;
    state: TrustState;
    content: TrustContent;
  }>(sql`SELECT t.id, c.version, c.state, v.content
    FROM trust_records t ${current(sql`t`)} WHERE t.author_id = ${authorId} AND t.context = ${context} AND NOT t.revoked
      AND coalesce(t.agent_id::text, t.type || ':' || t.value) = coalesce(${agentId}::uuid::text, ${type}::text || ':' || ${value}::text)`);

/** Whether it is the only current one; of two at the same moment, one. Its record is made before. */
export const insert = async (
  tx: Transaction,
  id: string,
  { authorId, agentId, type, value, context }: Place,
): Promise<boolean> =>
  (await tx.run(sql`INSERT INTO trust_records (id, author_id, agent_id, type, value, context) VALUES (${id}, ${authorId}, ${agentId}, ${type}, ${value}, ${context})
    ON CONFLICT DO NOTHING`)) > 0;

export const setRevoked = (tx: Transaction, id: string): void =>
  tx.send(sql`UPDATE trust_records SET revoked = true WHERE id = ${id}`);

const select = (db: Queryable, where: Sql, versions: Sql, page: Sql) =>
  db.rows<TrustRow>(sql`SELECT t.id, v.version, CASE WHEN v.version < c.version THEN 'replaced' ELSE c.state END AS state, t.context,
      (v.content->>'level')::int AS level, v.content->>'note' AS note, v.at AS "createdAt",
      json_build_object('agent', CASE WHEN t.agent_id IS NOT NULL THEN json_build_object('id', g.id, 'handle', g.handle) END,
        'subject', CASE WHEN t.agent_id IS NULL THEN json_build_object('type', t.type, 'value', t.value) END) AS target
    FROM trust_records t JOIN records c ON c.id = t.id JOIN record_revisions v ON v.record_id = t.id AND ${versions}
      LEFT JOIN agents g ON g.id = t.agent_id
    WHERE ${where} ORDER BY v.at DESC, t.id DESC, v.version DESC ${page}`);

const newest = sql`v.version = c.version`;

/** What the author recorded, newest first; with `history` also versions that were replaced. */
export const list = (
  db: Queryable,
  authorId: string,
  history: boolean,
  offset: number,
  limit: number,
) =>
  select(
    db,
    sql`t.author_id = ${authorId}`,
    history ? sql`true` : newest,
    sql`LIMIT ${limit} OFFSET ${offset}`,
  );

/** A record of the author's, as it is now in this transaction. */
export const get = async (db: Queryable, authorId: string, id: string): Promise<TrustRow> =>
  (await select(db, sql`t.author_id = ${authorId} AND t.id = ${id}`, newest, sql``))[0] as TrustRow;
