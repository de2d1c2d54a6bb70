import type { Connection } from '../../db/connection.ts';
import { type Database, openDatabase, type Queryable } from '../../db/database.ts';
import { findLatest } from '../../features/log/store.ts';
import { findBroken, invariants } from '../doctor/invariants.store.ts';
import { listFindings } from '../ledger.ts';
import { compareReputation } from '../reputation.ts';
import { findLogFaults } from './check-stored-log.ts';

/** Checks take long on a large installation. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/** Computes the ledger again. Returns what is wrong, as sentences. */
export async function findLedgerFaults(db: Queryable): Promise<string[]> {
  return (await listFindings(db))
    .filter(({ differences }) => differences.length > 0)
    .map(({ text }) => `The ledger is wrong. This does not hold: ${text}`);
}

async function findBrokenInvariants(tx: Queryable): Promise<string[]> {
  const faults: string[] = [];
  for (const invariant of invariants) {
    const { count, example } = await findBroken(tx, invariant);
    if (count > 0) faults.push(`${count} ${invariant.breaks}, ${example} among them.`);
  }
  return faults;
}

async function findReputationFaults(db: Database): Promise<string[]> {
  const checks = await compareReputation(db);
  return checks
    .filter(({ differences }) => differences > 0)
    .map(({ holds }) => `Reputation is wrong. This does not hold: ${holds}`);
}

/** Checks a whole database that nobody writes to. Returns what is wrong, as sentences. */
export async function findFaults(connection: Connection): Promise<string[]> {
  const db = openDatabase(connection, { connections: 1, statementMs: STATEMENT_TIMEOUT_MS });
  try {
    const snapshot = await db.transaction(
      async (tx) => [
        ...(await findLedgerFaults(tx)),
        ...(await findLogFaults(tx, await findLatest(tx))),
        ...(await findBrokenInvariants(tx)),
      ],
      { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    );
    return [...snapshot, ...(await findReputationFaults(db))];
  } finally {
    await db[Symbol.asyncDispose]();
  }
}
