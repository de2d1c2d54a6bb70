import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableSubject } from '../../kernel/access.ts';
import type { SubjectType, Target, TargetFacts } from './rules.ts';
import type { Subject } from './schemas.ts';

type Row = Omit<Subject, 'identityClaims' | 'reputationUrl'>;

/** Ids are longer than any handle. */
const isId = (agent: string): boolean => agent.length > 32;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of an agent by its handle or id, as a scalar; null when there is none. */
export const agentId = (agent: string): Sql =>
  isId(agent)
    ? sql`${UUID.test(agent) ? agent : null}::uuid`
    : sql`(SELECT id FROM agents WHERE handle = ${agent})`;

const rowOf = (
  where: Sql,
  reader: string | null,
): Sql => sql`SELECT s.id, CASE WHEN s.agent_id IS NULL THEN 'external' ELSE 'agent' END AS kind, s.type, s.value,
    s.agent_id AS "agentId", a.handle AS "agentHandle", s.created_at AS "createdAt",
    (SELECT count(*) FROM interactions i JOIN records c ON c.id = i.id WHERE i.subject_id = s.id AND i.visibility = 'public' AND c.state = 'recorded') AS "interactionCount",
    (SELECT count(*) FROM identity_claims q WHERE q.subject_id = s.id) AS "identityClaimCount"
  FROM subjects s LEFT JOIN agents a ON a.id = s.agent_id WHERE ${where} AND ${readableSubject(reader)}`;

/** A subject that the reader may know of. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<Row>(rowOf(sql`s.id = ${id}`, reader));

export const findTarget = (db: Queryable, target: Target, reader: string | null) =>
  db.first<Row>(
    rowOf(
      'agent' in target
        ? sql`s.id = ${agentId(target.agent)}`
        : sql`s.type = ${target.type} AND s.value = ${target.value}`,
      reader,
    ),
  );

export interface NewSubject {
  readonly id: string;
  readonly type: SubjectType;
  readonly value: string;
  /** Whether what is said about it is public. */
  readonly public: boolean;
  readonly createdAt: string;
}

const facts = sql`s.id, s.agent_id AS "agentId", s.type, s.value, s.public`;
export type Facts = TargetFacts & { readonly id: string; readonly public: boolean };

/** Makes a subject, unless somebody else does so at the same moment: then it is that one. */
const insert = (tx: Transaction, s: NewSubject) =>
  tx.first<Facts>(sql`INSERT INTO subjects AS s (id, type, value, public, created_at) VALUES (${s.id}, ${s.type}, ${s.value}, ${s.public}, ${s.createdAt})
    ON CONFLICT (type, value) WHERE type IS NOT NULL DO UPDATE
      SET public = s.public OR excluded.public, created_at = CASE WHEN excluded.public AND NOT s.public THEN excluded.created_at ELSE s.created_at END
    RETURNING ${facts}, NULL::text AS "agentHandle"`);

/** From now on anyone may know of it, as if it had been made now: that somebody named it in private before is nobody's business. */
export const publish = (tx: Transaction, id: string, at: string): void =>
  tx.send(
    sql`UPDATE subjects SET public = true, created_at = ${at} WHERE id = ${id} AND NOT public`,
  );

/** The subject of an agent, by its handle or id. */
export const findAgent = (db: Queryable, agent: string) =>
  db.first<Facts>(
    sql`SELECT ${facts}, a.handle AS "agentHandle" FROM subjects s JOIN agents a ON a.id = s.agent_id WHERE s.id = ${agentId(agent)}`,
  );

/** The subject of a target; something outside that nobody named yet is made. Undefined when there is no such agent. */
export async function resolve(
  tx: Transaction,
  target: Target,
  made: Omit<NewSubject, 'type' | 'value'>,
): Promise<Facts | undefined> {
  if ('agent' in target) return findAgent(tx, target.agent);
  const known = await tx.first<Facts>(
    sql`SELECT ${facts}, NULL::text AS "agentHandle" FROM subjects s WHERE s.type = ${target.type} AND s.value = ${target.value}`,
  );
  if (known && made.public && !known.public) publish(tx, known.id, made.createdAt);
  return known ?? insert(tx, { ...made, ...target });
}
