import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { computeSubjectId } from './external-ids.rules.ts';
import { getKey, type IdKeyContext } from './id-keys.store.ts';
import type { NamedTarget } from './rules.ts';
import { factColumns, findAgent, publish, type SubjectFacts } from './store.ts';
import type { ExternalSubjectType } from './subject-values.rules.ts';

/** A subject to insert. */
interface NewSubject {
  readonly id: string;
  readonly type: ExternalSubjectType;
  readonly value: string;
  /** Whether the first record about it is public. */
  readonly public: boolean;
  readonly createdAt: string;
}

/** Inserts a subject. When another transaction inserted it first, that one is returned. */
function insert(tx: Transaction, s: NewSubject): Promise<SubjectFacts | undefined> {
  // Concurrent transactions would insert the same id, which ON CONFLICT covers for one index only.
  tx.send(sql`SELECT pg_advisory_xact_lock(28, hashtext(${s.id}))`);
  return tx.first<SubjectFacts>(sql`
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
}

/**
 * Returns the subject of a target. A subject outside that nobody has named yet is created. Returns
 * undefined when there is no such agent.
 */
export async function findOrCreate(
  tx: Transaction,
  target: NamedTarget,
  newSubject: Pick<NewSubject, 'public' | 'createdAt'>,
  context: IdKeyContext,
): Promise<SubjectFacts | undefined> {
  if ('agent' in target) return findAgent(tx, target.agent);
  const existing = await tx.first<SubjectFacts>(sql`
    SELECT ${factColumns}, NULL::text AS "agentHandle"
    FROM subjects s
    WHERE s.type = ${target.type} AND s.value = ${target.value}
  `);
  if (existing && newSubject.public && !existing.public)
    publish(tx, existing.id, newSubject.createdAt);
  if (existing) return existing;
  const id = computeSubjectId(await getKey(tx, context), target.type, target.value);
  return insert(tx, { id, ...newSubject, ...target });
}
