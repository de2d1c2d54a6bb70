import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** Facts that a PostgreSQL server reports about itself. */
export interface ServerFacts {
  /** The version for people, such as "18.4"; `number` is then 180004. */
  readonly version: string;
  readonly number: number;
  /** The server's clock, in milliseconds since 1970. */
  readonly at: number;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  /** Whether the server is a standby, which takes no writes. */
  readonly isStandby: boolean;
  /** The number of standbys that follow the server. */
  readonly standbys: number;
  /** The standbys that a commit waits for, as in the setting; empty for none. */
  readonly synchronousStandbys: string;
  /** Whether the role of this connection may do anything. */
  readonly isSuperuser: boolean;
  /** Whether the role owns tables of Stoa, and so may change their triggers. */
  readonly ownsTables: boolean;
}

/** Reads the facts of the server. */
export async function getServerFacts(db: Queryable): Promise<ServerFacts> {
  const [facts] = await db.rows<ServerFacts>(sql`
      SELECT current_setting('server_version') AS version,
        current_setting('server_version_num')::int AS number,
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at,
        current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS "synchronousCommit",
        current_setting('full_page_writes') AS "fullPageWrites",
        pg_is_in_recovery() AS "isStandby",
        (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
        current_setting('synchronous_standby_names') AS "synchronousStandbys",
        current_setting('is_superuser') = 'on' AS "isSuperuser",
        EXISTS (
          SELECT 1
          FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            AND pg_has_role(relowner, 'USAGE')
        ) AS "ownsTables"
    `);
  if (!facts) throw new Error('The server returned no facts about itself.');
  return facts;
}
