import type { Settings } from '../config.ts';
import { type Database, openDatabase, type Queryable } from '../db/database.ts';
import { findMigration, latestMigration } from '../db/migrate.ts';
import * as credits from '../features/credits/audit.store.ts';
import * as ledger from '../features/ledger/audit.store.ts';
import * as ledgerChecks from '../features/ledger/ledger-checks.store.ts';
import * as reservedCheck from '../features/ledger/reserved-check.store.ts';
import * as offers from '../features/offers/audit.store.ts';
import * as tasks from '../features/tasks/audit.store.ts';
import { CommandError } from './describe-error.ts';
import { openInstallation } from './open-store.ts';
import { writeLine } from './print.ts';

/** The time limit of a statement. A large ledger takes long to check. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * All checks: those of the ledger itself, and those of the features that store amounts in addition.
 */
const checks: readonly ledgerChecks.LedgerCheck[] = [
  ...ledgerChecks.checks,
  reservedCheck.buildReservedCheck(
    'What agents have reserved is what their open offers and tasks set aside.',
    [offers.reservedBySenders, tasks.reservedByOwners],
  ),
  { holds: 'Every grant was issued once, with its amount.', query: credits.wrongGrants },
  { holds: 'Every enrollment granted its units once.', query: credits.wrongEnrollments },
  {
    holds: 'Every offer set its amount aside once, and paid it or gave it back once it was over.',
    query: offers.wrongOffers,
  },
  {
    holds: 'What grants have in escrow is what open tasks have of them.',
    query: tasks.wrongEscrows,
  },
  {
    holds:
      'Every settled slot of a task has one transaction, which paid whoever did its work or ' +
      'gave its units back.',
    query: tasks.wrongSlots,
  },
  { holds: 'Every task counts the slots that are settled.', query: tasks.wrongCounts },
];

interface LedgerFinding {
  readonly text: string;
  readonly differences: readonly ledger.Difference[];
}

async function checkSupply(db: Queryable): Promise<LedgerFinding[]> {
  return (await ledger.listSupply(db)).map(({ unit, issued, remaining, reserved, held, spent }) => {
    const difference = issued - remaining - reserved - held - spent;
    return {
      text:
        `${unit}: ${issued} issued = ${remaining} remaining in grants + ${reserved} reserved ` +
        `+ ${held} held by agents + ${spent} spent.`,
      differences:
        difference === 0 ? [] : [{ what: unit, difference: `${difference} units are nowhere` }],
    };
  });
}

/**
 * Recomputes the whole ledger from its postings, in the snapshot of this transaction. It changes
 * nothing.
 */
export const listFindings = async (tx: Queryable): Promise<LedgerFinding[]> => [
  ...(await checkSupply(tx)),
  ...(await Promise.all(
    checks.map(async (check) => ({
      text: check.holds,
      differences: await ledger.listDifferences(tx, check),
    })),
  )),
];

/** Audits the ledger in one snapshot. It can run while the service is running. */
export const auditLedger = (db: Database): Promise<LedgerFinding[]> =>
  db.transaction(listFindings, { statementTimeoutMs: STATEMENT_TIMEOUT_MS });

/** The command `ledger audit`. Errors: CommandError for any difference, so the exit code is 1. */
export async function runLedgerAudit(settings: Settings): Promise<void> {
  const store = await openInstallation(settings);
  const db = openDatabase(store.connection, { connections: 1 });
  let findings: LedgerFinding[];
  try {
    if ((await findMigration(db)) < latestMigration)
      throw new CommandError('The schema is older than this version of Stoa. Run: stoa migrate.');
    findings = await auditLedger(db);
  } finally {
    await db[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  }
  for (const { text, differences } of findings) {
    writeLine(`${differences.length === 0 ? 'right' : 'WRONG'}  ${text}`);
    for (const { what, difference } of differences) writeLine(`       ${what}: ${difference}`);
  }
  const wrong = findings.filter(({ differences }) => differences.length > 0).length;
  if (wrong > 0)
    throw new CommandError(
      `The ledger is wrong in ${wrong} of ${findings.length} respects. Stop the service, ` +
        'keep a copy of the database and report this as a defect of Stoa.',
    );
  writeLine('The ledger is right.');
}
