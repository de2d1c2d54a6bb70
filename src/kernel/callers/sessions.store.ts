import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** What the migration left: one row, for ever. */
export const secret = async (db: Queryable): Promise<Buffer> =>
  (await db.first<{ secret: Buffer }>(sql`SELECT secret FROM session_secret`))?.secret as Buffer;
