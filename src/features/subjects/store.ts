import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableSubject } from '../../kernel/record-access.ts';
import type { NamedTarget, TargetFacts } from './rules.ts';
import type { Subject } from './schemas.ts';

/** A subject as it is stored, with the number of claims about it. */
export type SubjectRow = Omit<Subject, 'interactionCount' | 'identityClaims' | 'reputationUrl'>;

/** Whether a name is an id: ids are longer than any handle. */
const isId = (agent: string): boolean => agent.length > 32;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An SQL scalar: the id of an agent, found by its handle or id; null when there is none. */
export const agentId = (agent: string): Sql =>
  isId(agent)
    ? sql`${UUID.test(agent) ? agent : null}::uuid`
    : sql`(SELECT id FROM agents WHERE handle = ${agent})`;

/**
 * Since when the reader may know of a subject `s`. Of one that has no public record it is the time
 * of the reader's own first record, because others may have named it in private before.
 */
const knownSince = (reader: string | null): Sql => sql`
  CASE
    WHEN s.public THEN s.created_at
    ELSE (
      SELECT min(i.created_at)
      FROM interactions i
      WHERE i.subject_id = s.id AND i.author_id = ${reader}::uuid
    )
  END
`;

const selectSubject = (where: Sql, reader: string | null): Sql => sql`
  SELECT s.id, CASE WHEN s.agent_id IS NULL THEN 'external' ELSE 'agent' END AS kind, s.type,
    s.value, s.agent_id AS "agentId", a.handle AS "agentHandle",
    ${knownSince(reader)} AS "createdAt",
    s.claim_count AS "identityClaimCount"
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

/** The columns of `SubjectFacts` from the alias `s`, but for the handle. */
export const factColumns = sql`s.id, s.agent_id AS "agentId", s.type, s.value, s.public`;
/** A subject with what records about it need to know. */
export type SubjectFacts = TargetFacts & { readonly id: string; readonly public: boolean };

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
