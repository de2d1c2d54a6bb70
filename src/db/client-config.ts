import type pg from 'pg';
import type { Connection } from './connection.ts';
import { types } from './pg-types.ts';

const STATEMENT_TIMEOUT_MS = 20_000;
const IDLE_IN_TRANSACTION_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

export interface SessionOptions {
  /** Settings of PostgreSQL beyond those that every connection of this service has. */
  readonly settings?: readonly string[];
  /** How long one statement may take; null: as long as it likes. */
  readonly statementMs?: number | null;
}

/** The address, with settings added to those that a connection string brings itself: the driver would let its own replace ours. */
function address(connection: Connection, options: string): pg.ClientConfig {
  if (!('connectionString' in connection)) return { ...connection, options };
  const url = new URL(connection.connectionString);
  url.searchParams.set(
    'options',
    [url.searchParams.get('options') ?? '', options].join(' ').trim(),
  );
  return { connectionString: url.href };
}

/** What a connection of this service needs besides its address. Also for connections outside the pool (LISTEN, migrations). */
export function clientConfig(
  connection: Connection,
  { settings = [], statementMs = STATEMENT_TIMEOUT_MS }: SessionOptions = {},
): pg.ClientConfig {
  const all = [
    'TimeZone=UTC',
    'DateStyle=ISO',
    `statement_timeout=${statementMs ?? 0}`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    ...settings,
  ];
  return {
    ...address(connection, all.map((setting) => `-c ${setting}`).join(' ')),
    types,
    application_name: 'stoa',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A connection whose other end is silently gone must not be waited for: PostgreSQL's own limit cannot tell.
    ...(statementMs !== null && { query_timeout: statementMs + 2_000 }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}
