import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';

/** A campaign that receipts are about. They are public, so that reading them needs no role. */
export interface CampaignSubject {
  readonly id: string;
  readonly name: string;
  readonly role: Role | null;
}

/** Lists the campaigns with these ids. */
export const listSubjects = (db: Queryable, ids: readonly string[]) =>
  db.rows<CampaignSubject>(sql`
    SELECT id, name, NULL AS role
    FROM campaigns
    WHERE id = ANY(${ids}::uuid[])
  `);
