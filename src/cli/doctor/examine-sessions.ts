import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { buildClientConfig } from '../../db/client-config.ts';
import type { Connection } from '../../db/connection.ts';
import { openClient } from '../../db/create-client.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';

/** Milliseconds in which a notification must arrive. It takes one or two. */
const NOTIFY_MS = 2_000;
/** The lock and the channel of this examination ("doctor" in ASCII), which nothing else uses. */
const LOCK = 0x64_6f_63_74;
const CHANNEL = 'stoa_doctor';

const toDo =
  'Connect to PostgreSQL itself, or through a pooler that keeps a session for each connection ' +
  '(in PgBouncer: pool_mode = session).';

async function isLockExclusive(one: pg.Client, other: pg.Client): Promise<boolean> {
  await one.query('SELECT pg_advisory_lock($1::bigint)', [LOCK]);
  try {
    const { rows } = await other.query('SELECT pg_try_advisory_lock($1::bigint) AS taken', [LOCK]);
    if (rows[0]?.taken) await other.query('SELECT pg_advisory_unlock($1::bigint)', [LOCK]);
    return rows[0]?.taken === false;
  } finally {
    await one.query('SELECT pg_advisory_unlock($1::bigint)', [LOCK]);
  }
}

async function arrivesNotification(one: pg.Client, other: pg.Client): Promise<boolean> {
  const stop = new AbortController();
  const arrival = once(one, 'notification', { signal: stop.signal }).then(
    () => true,
    () => false,
  );
  await one.query(`LISTEN ${CHANNEL}`);
  await other.query(`NOTIFY ${CHANNEL}`);
  const timeout = sleep(NOTIFY_MS, false, { signal: stop.signal }).catch(() => false);
  const arrived = await Promise.race([arrival, timeout]);
  stop.abort();
  return arrived;
}

/**
 * Examines what Stoa needs of sessions: locks that hold between them, and notifications. Some
 * engines that speak PostgreSQL's protocol accept both and do neither, and so do poolers that give
 * each transaction another session. Errors: those of the driver.
 */
export async function* examineSessions(connection: Connection): AsyncGenerator<Finding> {
  const open = () => openClient(connection, buildClientConfig(connection));
  const clients: pg.Client[] = [];
  try {
    const one = await open();
    clients.push(one);
    const other = await open();
    clients.push(other);
    yield (await isLockExclusive(one, other))
      ? buildOkFinding('Advisory locks of one session hold against others.')
      : buildFaultFinding(
          'Advisory locks of one session do not hold against others, so two nodes could migrate, ' +
            'or add to the ledger, at the same time.',
          toDo,
        );
    yield (await arrivesNotification(one, other))
      ? buildOkFinding('Notifications arrive, so agents that wait at one node hear of others.')
      : buildFaultFinding(
          'Notifications of one session do not arrive at others, so agents that wait at one node ' +
            'hear up to 15 seconds late of what is posted at others.',
          toDo,
        );
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}
