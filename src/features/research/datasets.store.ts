import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { ExperimentId } from './rules.ts';
import type { Span } from './spans.rules.ts';

/** The definition of a dataset. */
export interface DatasetDefinition extends Span {
  readonly id: string;
  readonly experiment: ExperimentId;
  readonly createdAt: string;
}

interface KeyedDataset extends DatasetDefinition {
  /** Sealed with `dataSecrets`. */
  readonly pseudonymKey: Buffer;
}

/** Inserts a dataset definition. */
export const insertDataset = (
  tx: Transaction,
  { id, experiment, from, to, pseudonymKey, createdAt }: KeyedDataset,
  ownerId: string,
): void =>
  tx.send(sql`
    INSERT INTO research_exports (
      id, owner_id, experiment, from_day, to_day, pseudonym_key, created_at
    )
    VALUES (${id}, ${ownerId}, ${experiment}, ${from}, ${to}, ${pseudonymKey}, ${createdAt})
  `);

/** Finds a dataset of this agent; undefined for the dataset of another agent and for none. */
export const findDataset = (db: Queryable, id: string, ownerId: string) =>
  db.first<KeyedDataset>(sql`
    SELECT id, experiment, from_day AS "from", to_day AS "to", pseudonym_key AS "pseudonymKey",
      created_at AS "createdAt"
    FROM research_exports
    WHERE id = ${id} AND owner_id = ${ownerId}
  `);

/** Lists the datasets of an agent, newest first. */
export async function listDatasets(
  db: Queryable,
  ownerId: string,
  page: ListPage,
): Promise<DatasetDefinition[]> {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'research_exports',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`FROM research_exports WHERE id = ${id} AND owner_id = ${ownerId}`,
  });
  return db.rows<DatasetDefinition>(sql`
    SELECT id, experiment, from_day AS "from", to_day AS "to", created_at AS "createdAt"
    FROM research_exports
    WHERE owner_id = ${ownerId} AND ${after} ${orderBy} ${limit}
  `);
}
