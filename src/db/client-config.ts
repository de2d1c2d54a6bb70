import type pg from 'pg';
import { type Connection, getHosts } from './connection.ts';
import { pgTypes } from './pg-types.ts';

/** The time limit of a statement outside of a transaction: a read, or a step of a job. */
export const READ_TIMEOUT_MS = 5_000;
/** The time limit of a statement in a transaction. */
export const STATEMENT_TIMEOUT_MS = 20_000;
const IDLE_IN_TRANSACTION_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The same where the next server of a list may answer instead. */
const HOST_TIMEOUT_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;

/** Options of one connection. */
export interface SessionOptions {
  /** Settings of PostgreSQL in addition to those of every connection, such as `jit=off`. */
  readonly settings?: readonly string[];
  /** The time limit of one statement in milliseconds; null for no limit. */
  readonly statementMs?: number | null;
}

/**
 * Adds options to an address. The options of a connection string are kept, because the driver would
 * otherwise let them replace ours.
 */
function toAddress(connection: Connection, options: string): pg.ClientConfig {
  if (!('connectionString' in connection)) return { ...connection, options };
  const url = new URL(connection.connectionString);
  url.searchParams.set(
    'options',
    [url.searchParams.get('options') ?? '', options].join(' ').trim(),
  );
  return { connectionString: url.href };
}

/** Builds the driver's options, for the pools as well as for LISTEN and migrations. */
export function buildClientConfig(
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
    ...toAddress(connection, all.map((setting) => `-c ${setting}`).join(' ')),
    types: pgTypes,
    application_name: 'stoa',
    connectionTimeoutMillis: getHosts(connection) ? HOST_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    // PostgreSQL's own limit does not help when the other end is silently gone, so the driver has
    // one as well.
    ...(statementMs !== null && { query_timeout: statementMs + 2_000 }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}
