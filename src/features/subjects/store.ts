import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableSubject } from '../../kernel/record-access.ts';
import type { NamedTarget, TargetFacts } from './rules.ts';
import type { Subject } from './schemas.ts';
import type { ExternalSubjectType } from './subject-values.rules.ts';

/** A subject as it is stored, with the numbers of records about it. */
export type SubjectRow = Omit<Subject, 'identityClaims' | 'reputationUrl'>;

/** Whether a name is an id: ids are longer than any handle. */
const isId = (agent: string): boolean => agent.length > 32;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An SQL scalar: the id of an agent, found by its handle or id; null when there is none. */
export const agentId = (agent: string): Sql =>
  isId(agent)
    ? sql`${UUID.test(agent) ? agent : null}::uuid`
    : sql`(SELECT id FROM agents WHERE handle = ${agent})`;

const selectSubject = (where: Sql, reader: string | null): Sql => sql`
  SELECT s.id, CASE WHEN s.agent_id IS NULL THEN 'external' ELSE 'agent' END AS kind, s.type,
    s.value, s.agent_id AS "agentId", a.handle AS "agentHandle", s.created_at AS "createdAt",
    (
      SELECT count(*)
      FROM interactions i
      JOIN records c ON c.id = i.id
      WHERE i.subject_id = s.id AND i.visibility = 'public' AND c.state = 'recorded'
    ) AS "interactionCount",
    (SELECT count(*) FROM identity_claims q WHERE q.subject_id = s.id) AS "identityClaimCount"
  FROM subjects s
  LEFT JOIN agents a ON a.id = s.agent_id
  WHERE ${where} AND ${readableSubject(reader)}
`;

/** Returns a subject that the reader may know of. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<SubjectRow>(selectSubject(sql`s.id = ${id}`, reader));

/** Returns the subject of a target, if the reader may know of it. */
export const findTarget = (db: Queryable, target: NamedTarget, reader: string | null) =>
  db.first<SubjectRow>(
    selectSubject(
      'agent' in target
        ? sql`s.id = ${agentId(target.agent)}`
        : sql`s.type = ${target.type} AND s.value = ${target.value}`,
      reader,
    ),
  );

/** A subject to insert. */
export interface NewSubject {
  readonly id: string;
  readonly type: ExternalSubjectType;
  readonly value: string;
  /** Whether the first record about it is public. */
  readonly public: boolean;
  readonly createdAt: string;
}

const factColumns = sql`s.id, s.agent_id AS "agentId", s.type, s.value, s.public`;
/** A subject with what records about it need to know. */
export type SubjectFacts = TargetFacts & { readonly id: string; readonly public: boolean };

/** Inserts a subject. When another transaction inserted it first, that one is returned. */
const insert = (tx: Transaction, s: NewSubject) =>
  tx.first<SubjectFacts>(sql`
    INSERT INTO subjects AS s (id, type, value, public, created_at)
    VALUES (${s.id}, ${s.type}, ${s.value}, ${s.public}, ${s.createdAt})
    ON CONFLICT (type, value)
    WHERE type IS NOT NULL
    DO UPDATE SET public = s.public OR excluded.public,
      created_at = CASE
        WHEN excluded.public AND NOT s.public THEN excluded.created_at
        ELSE s.created_at
      END
    RETURNING ${factColumns}, NULL::text AS "agentHandle"
  `);

/**
 * Makes a subject known to anyone, as if it had been created now: nobody learns that somebody named
 * it in private before.
 */
export const publish = (tx: Transaction, id: string, at: string): void =>
  tx.send(sql`
    UPDATE subjects
    SET public = true, created_at = ${at}
    WHERE id = ${id} AND NOT public
  `);

/** Returns the subject of an agent, by its handle or id. */
export const findAgent = (db: Queryable, agent: string) =>
  db.first<SubjectFacts>(sql`
    SELECT ${factColumns}, a.handle AS "agentHandle"
    FROM subjects s
    JOIN agents a ON a.id = s.agent_id
    WHERE s.id = ${agentId(agent)}
  `);

/**
 * Returns the subject of a target. A subject outside that nobody has named yet is created. Returns
 * undefined when there is no such agent.
 */
export async function findOrCreate(
  tx: Transaction,
  target: NamedTarget,
  newSubject: Omit<NewSubject, 'type' | 'value'>,
): Promise<SubjectFacts | undefined> {
  if ('agent' in target) return findAgent(tx, target.agent);
  const existing = await tx.first<SubjectFacts>(sql`
    SELECT ${factColumns}, NULL::text AS "agentHandle"
    FROM subjects s
    WHERE s.type = ${target.type} AND s.value = ${target.value}
  `);
  if (existing && newSubject.public && !existing.public)
    publish(tx, existing.id, newSubject.createdAt);
  return existing ?? insert(tx, { ...newSubject, ...target });
}
