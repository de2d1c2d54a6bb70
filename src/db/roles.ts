import type pg from 'pg';
import type { Connection } from './connection.ts';

/*
 * Two roles of the database: the owner has the tables and migrates them; the service's own role can
 * do what its statements need. It cannot switch off a trigger, truncate a table, or change or
 * delete what happened, whatever runs in the service.
 */

/** The roles of the embedded server. */
export const OWNER_ROLE = 'stoa_owner';
export const SERVICE_ROLE = 'stoa_app';

/** What happened. The service adds rows to these tables and reads them, and nothing else. */
export const appendOnlyTables = [
  'audit_log',
  'portable_events',
  'log_entries',
  'log_checkpoints',
  'ledger_transactions',
  'ledger_postings',
  'fixture_owners',
  'fixture_attempts',
  'subject_id_keys',
] as const;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const roleExists = async (client: pg.Client, name: string): Promise<boolean> =>
  ((await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])).rowCount ?? 0) > 0;

/** Creates a role that may log in, unless it exists or another process creates it now. */
async function createLogin(client: pg.Client, name: string, password?: string): Promise<void> {
  if (await roleExists(client, name)) return;
  const secret = password === undefined ? '' : ` PASSWORD ${client.escapeLiteral(password)}`;
  await client.query(`CREATE ROLE ${quote(name)} LOGIN${secret}`).catch((error: unknown) => {
    if (!/^(?:42710|23505)$/.test(String((error as { code?: unknown }).code))) throw error;
  });
}

/** Selects the statements that give what others made in this database to the owner. */
const listTakeovers = `
  SELECT format(
    'ALTER %s %s OWNER TO ${OWNER_ROLE}',
    CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
    c.oid::regclass
  ) AS statement
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
    AND c.relowner <> '${OWNER_ROLE}'::regrole
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${OWNER_ROLE}', p.oid::regprocedure)
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> '${OWNER_ROLE}'::regrole
`;

/**
 * Gives what a superuser of earlier versions made in this database to the owner. Each statement is
 * a transaction of its own, so that it never waits for a table while it holds another one.
 */
async function takeOwnership(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(listTakeovers);
  for (const { statement } of rows) await client.query(statement);
}

/** Makes both roles on the embedded server, and the owner the owner of everything in a database. */
export async function ensureRoles(client: pg.Client, database: string): Promise<void> {
  await createLogin(client, OWNER_ROLE);
  await createLogin(client, SERVICE_ROLE);
  await client.query(`ALTER DATABASE ${quote(database)} OWNER TO ${OWNER_ROLE}`);
  await takeOwnership(client);
}

/** The name and the password of a role in an address. */
function parseLogin(connection: Connection): { name: string; password?: string } {
  if (!('connectionString' in connection)) return { name: connection.user };
  const { username, password, searchParams } = new URL(connection.connectionString);
  const given = decodeURIComponent(password) || searchParams.get('password');
  return {
    name: decodeURIComponent(username) || (searchParams.get('user') ?? ''),
    ...(given && { password: given }),
  };
}

/**
 * Gives the service's role the rights that its statements need, and takes all others. The owner
 * calls it after each migration; it makes the role where it may.
 */
export async function grantRights(client: pg.Client, service: Connection): Promise<void> {
  const { name, password } = parseLogin(service);
  const current = await client.query<{ name: string }>('SELECT current_user AS name');
  // One role for both has all rights as the owner, and must keep them.
  if (current.rows[0]?.name === name) return;
  await createLogin(client, name, password);
  const role = quote(name);
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = quote(rows[0]?.name ?? '');
  await client.query(`
    BEGIN;
    REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC;
    GRANT CONNECT ON DATABASE ${database} TO ${role};
    GRANT USAGE ON SCHEMA public TO ${role};
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
    REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${role};
    REVOKE UPDATE, DELETE ON ${appendOnlyTables.join(', ')} FROM ${role};
    COMMIT;
  `);
}
