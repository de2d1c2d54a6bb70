import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** What a server says of itself. */
export interface ServerFacts {
  /** For people, such as "18.4"; `number` is 180004. */
  readonly version: string;
  readonly number: number;
  /** Its clock, in milliseconds. */
  readonly at: number;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
}

export async function serverFacts(db: Queryable): Promise<ServerFacts> {
  const [facts] =
    await db.rows<ServerFacts>(sql`SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
    floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at, current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS "synchronousCommit", current_setting('full_page_writes') AS "fullPageWrites"`);
  // One row whatever the server is.
  return facts as ServerFacts;
}
