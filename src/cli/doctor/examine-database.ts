import type { Connection } from '../../db/connection.ts';
import { type Database, openDatabase, type Queryable } from '../../db/database.ts';
import { computeLead } from '../../db/database-clock.ts';
import { findMigration, latestMigration } from '../../db/migrate.ts';
import { getServerFacts, type ServerFacts } from '../../db/server-facts.ts';
import { systemClock, toIso } from '../../kernel/clock.ts';
import { examineSessions } from './examine-sessions.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';
import {
  countWaitingFanouts,
  countWaitingReceipts,
  findBroken,
  invariants,
  setStatementTimeout,
} from './invariants.store.ts';

const OLDEST_POSTGRES = 15;
const MAX_CLOCK_DIFFERENCE_MS = 2_000;
/** Background jobs notify even a large number of subscribers within seconds. */
const MAX_QUEUE_AGE_MS = 5 * 60_000;
const COUNTING_SECONDS = 600;

function examineVersion({ version, number }: ServerFacts): Finding {
  if (Math.floor(number / 10_000) >= OLDEST_POSTGRES)
    return buildOkFinding(`The database is PostgreSQL ${version}.`);
  return buildFaultFinding(
    `The database is PostgreSQL ${version}.`,
    `Stoa needs ${OLDEST_POSTGRES} or newer: upgrade it.`,
  );
}

function examineDurability({ fsync, synchronousCommit, fullPageWrites }: ServerFacts): Finding {
  const off = Object.entries({
    fsync,
    synchronous_commit: synchronousCommit,
    full_page_writes: fullPageWrites,
  }).filter(([, value]) => value === 'off');
  if (off.length === 0)
    return buildOkFinding(
      'What is acknowledged is on disk: fsync, synchronous_commit and full_page_writes are on.',
    );
  const names = off.map(([name]) => name).join(' and ');
  return buildFaultFinding(
    `The database may lose what was acknowledged: ${names} is off.`,
    `Set ${names} to on in postgresql.conf and reload it.`,
  );
}

/** Values of synchronous_commit with which no commit waits until a standby has it on disk. */
const weakCommits: Readonly<Record<string, string>> = {
  local: 'commits wait for no standby',
  remote_write: 'commits do not wait until a standby has written them to its disk',
};

/** Says what a failover to a standby may lose. Returns null where there is none. */
export function examineStandbys({
  isStandby,
  standbys,
  synchronousCommit,
  synchronousStandbys,
}: ServerFacts): Finding | null {
  if (isStandby)
    return buildFaultFinding(
      'The database is a standby, which takes no writes.',
      'Connect to the primary, with target_session_attrs=read-write if there are several hosts.',
    );
  const lost =
    'A failover may lose what was acknowledged last, receipts and the end of the log too';
  const weak = synchronousStandbys === '' ? undefined : weakCommits[synchronousCommit];
  if (weak !== undefined)
    return buildFaultFinding(
      `${lost}: synchronous_commit is ${synchronousCommit}, so ${weak}.`,
      'Set synchronous_commit to on in postgresql.conf and reload it.',
    );
  if (synchronousStandbys !== '' && standbys === 0)
    return buildFaultFinding(
      'No standby is connected, and every commit waits for one: nothing can be written.',
      'Start a standby, or look in its log for why it does not follow.',
    );
  if (synchronousStandbys !== '')
    return buildOkFinding(
      `Commits wait for a standby (synchronous_standby_names: ${synchronousStandbys}).`,
    );
  if (standbys === 0) return null;
  return buildOkFinding(
    `Standbys follow the database, and commits wait for none of them. ${lost}: to prevent it, ` +
      'set synchronous_standby_names.',
  );
}

function examineRole({ isSuperuser, ownsTables }: ServerFacts): Finding {
  if (!isSuperuser && !ownsTables)
    return buildOkFinding("The service's role can change neither triggers nor what happened.");
  const what = isSuperuser ? 'is a superuser' : 'owns the tables';
  return buildOkFinding(
    `The service's role in the database ${what}, and could change what triggers protect. ` +
      'Two roles are safer: see DATABASE_OWNER_URL.',
  );
}

function examineClocks({ at }: ServerFacts, before: number, after: number): Finding {
  const difference = Math.abs(computeLead({ before, at, after }));
  const seconds = `${(difference / 1000).toFixed(1)} s`;
  if (difference <= MAX_CLOCK_DIFFERENCE_MS)
    return buildOkFinding(`The clocks of this machine and the database agree to ${seconds}.`);
  return buildFaultFinding(
    `The clocks of this machine and the database differ by ${seconds}.`,
    'Let both machines take their time from NTP.',
  );
}

function examineSchema(current: number): Finding {
  if (current === latestMigration)
    return buildOkFinding(`The schema is at migration ${latestMigration}, which is the newest.`);
  if (current > latestMigration)
    return buildFaultFinding(
      `The schema is at migration ${current}, this version of Stoa knows ${latestMigration}.`,
      'Run the newer version that migrated it.',
    );
  return buildFaultFinding(
    `The schema is at migration ${current} of ${latestMigration}.`,
    'Run: stoa migrate.',
  );
}

/** Checks the invariants. A person cannot correct a violation, so the advice is to report it. */
const listFindings = async (db: Queryable): Promise<Finding[]> =>
  Promise.all(
    invariants.map(async (invariant) => {
      const { count, example } = await findBroken(db, invariant);
      if (count === 0) return buildOkFinding(invariant.holds);
      return buildFaultFinding(
        `${count} ${invariant.breaks}, ${example} among them.`,
        'Stop the service, keep a copy of the database and report this as a defect of Stoa.',
      );
    }),
  );

async function examineFanouts(db: Queryable, now: number): Promise<Finding> {
  const waiting = await countWaitingFanouts(db, toIso(now - MAX_QUEUE_AGE_MS));
  if (waiting === 0) return buildOkFinding('No message waits for its subscribers to be told.');
  return buildFaultFinding(
    `${waiting} messages have waited for more than five minutes for their subscribers to be told.`,
    'Start the service if it does not run; else look for "tell-subscribers" in its log.',
  );
}

async function examineQueue(db: Queryable, now: number): Promise<Finding> {
  const waiting = await countWaitingReceipts(db, toIso(now - MAX_QUEUE_AGE_MS));
  if (waiting === 0) return buildOkFinding('No act has waited for long for its place in the log.');
  return buildFaultFinding(
    `${waiting} acts have waited for more than five minutes for their place in the log.`,
    'Start the service if it does not run; else look for "integrate-log" in its log.',
  );
}

async function* examine(db: Database, clockOffset: number): AsyncGenerator<Finding> {
  const clock = systemClock();
  await getServerFacts(db);
  // The facts are read again, because the first time includes connecting.
  const before = clock();
  const facts = await getServerFacts(db);
  const after = clock();
  yield examineVersion(facts);
  yield examineDurability(facts);
  const standbys = examineStandbys(facts);
  if (standbys) yield standbys;
  yield examineRole(facts);
  yield examineClocks(facts, before, after);
  const current = await findMigration(db);
  yield examineSchema(current);
  if (current !== latestMigration) return;
  yield* await db.transaction(async (tx) => {
    setStatementTimeout(tx, COUNTING_SECONDS);
    return await listFindings(tx);
  });
  const now = systemClock(clockOffset)();
  yield await examineFanouts(db, now);
  yield await examineQueue(db, now);
}

/**
 * Examines whether Stoa can run on the database, and whether the stored data is consistent. It
 * changes nothing.
 */
export async function* examineDatabase(
  connection: Connection,
  clockOffset: number,
): AsyncGenerator<Finding> {
  const db = openDatabase(connection, { connections: 1 });
  try {
    yield* examine(db, clockOffset);
    yield* examineSessions(connection);
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    yield buildFaultFinding(
      `The database does not answer (${reason}).`,
      'Check that it runs and that DATABASE_URL is right.',
    );
  } finally {
    await db[Symbol.asyncDispose]();
  }
}
