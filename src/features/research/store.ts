import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { units } from './facts.store.ts';
import type { Counts, ExperimentId, Span } from './rules.ts';

/** What an agent said about being studied; undefined when it never said anything. */
export const findConsent = (db: Queryable, agentId: string) =>
  db.first<{ consent: boolean; updatedAt: string }>(
    sql`SELECT consent, updated_at AS "updatedAt" FROM research_consents WHERE agent_id = ${agentId}`,
  );

export const setConsent = (tx: Transaction, agentId: string, consent: boolean, now: string): void =>
  tx.send(sql`INSERT INTO research_consents (agent_id, consent, updated_at) VALUES (${agentId}, ${consent}, ${now})
    ON CONFLICT (agent_id) DO UPDATE SET consent = excluded.consent, updated_at = excluded.updated_at`);

/**
 * Before a query over units, in its transaction. How many rows there will be nobody can know before, and where a guess is too low PostgreSQL goes through all messages for each of
 * them; hash joins cost the same whatever is guessed. Nor is it worth compiling a query that runs once.
 */
async function prepare(tx: Queryable): Promise<void> {
  await Promise.all([
    tx.run(sql`SET LOCAL enable_nestloop = off`),
    tx.run(sql`SET LOCAL jit = off`),
  ]);
}

/** Days on which anything was counted; small groups are left out. In a transaction of its own. */
export async function count(
  tx: Queryable,
  experiment: ExperimentId,
  span: Span,
  fewest: number,
): Promise<Counts[]> {
  await prepare(tx);
  return tx.rows(sql`${units(experiment, span, fewest)}
    SELECT day, count(*) FILTER (WHERE value >= 1) AS numerator, count(*) AS denominator FROM units GROUP BY day`);
}

/** A dataset, as what it asks for. */
export interface Export extends Span {
  readonly id: string;
  readonly experiment: ExperimentId;
  readonly createdAt: string;
}

interface Keyed extends Export {
  /** As `safe` keeps it. */
  readonly pseudonymKey: Buffer;
}

export const insertExport = (
  tx: Transaction,
  { id, experiment, from, to, pseudonymKey, createdAt }: Keyed,
  ownerId: string,
): void =>
  tx.send(sql`INSERT INTO research_exports (id, owner_id, experiment, from_day, to_day, pseudonym_key, created_at)
    VALUES (${id}, ${ownerId}, ${experiment}, ${from}, ${to}, ${pseudonymKey}, ${createdAt})`);

/** An export of this agent; undefined for one of another, and for none. */
export const findExport = (db: Queryable, id: string, ownerId: string) =>
  db.first<Keyed>(sql`SELECT id, experiment, from_day AS "from", to_day AS "to", pseudonym_key AS "pseudonymKey", created_at AS "createdAt"
    FROM research_exports WHERE id = ${id} AND owner_id = ${ownerId}`);

/** A unit of a dataset. `place` is where it stands: a hash that says nothing, least of all a time. */
export interface Unit {
  readonly day: string;
  readonly context: string;
  readonly authorId: string;
  readonly value: number;
  readonly place: string;
}

/** The next units of a span, by day and place, as everything is now. In a transaction of its own. */
export async function listUnits(
  tx: Queryable,
  experiment: ExperimentId,
  span: Span,
  {
    fewest,
    shuffle,
    after,
    limit,
  }: {
    readonly fewest: number;
    readonly shuffle: Buffer;
    readonly after: Pick<Unit, 'day' | 'place'>;
    readonly limit: number;
  },
): Promise<Unit[]> {
  await prepare(tx);
  return tx.rows(sql`${units(experiment, span, fewest)}
    SELECT day, context, author_id AS "authorId", value, place FROM (
      SELECT u.*, encode(sha256(${shuffle}::bytea || convert_to(unit, 'UTF8')), 'hex') COLLATE "C" AS place FROM units u) shuffled
    WHERE (day, place) > (${after.day}::date, ${after.place}) ORDER BY day, place LIMIT ${limit}`);
}
