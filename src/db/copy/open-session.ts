import type pg from 'pg';
import { buildClientConfig } from '../client-config.ts';
import type { Connection } from '../connection.ts';
import { openClient } from '../create-client.ts';
import { type Queryable, toQueryable } from '../queryable.ts';

/** One connection for a long copy, without time limits. */
export interface Session extends AsyncDisposable {
  readonly client: pg.Client;
  readonly db: Queryable;
}

const settings = [
  'idle_in_transaction_session_timeout=0',
  'lock_timeout=0',
  // Rows travel as text, which these settings would change.
  'intervalstyle=iso_8601',
  'extra_float_digits=1',
  'bytea_output=hex',
];

/** Opens a session. Errors: those of the driver. `signal` breaks the connection. */
export async function openSession(connection: Connection, signal: AbortSignal): Promise<Session> {
  // Without its connection, the next statement reports that it is lost.
  const client = await openClient(
    connection,
    buildClientConfig(connection, { statementMs: null, settings }),
  );
  // With a statement under way this closes the socket at once.
  const end = () => client.end();
  signal.addEventListener('abort', end);
  return {
    client,
    db: toQueryable(client),
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', end);
      await end();
    },
  };
}
