import type { Settings } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { findMigration, latestMigration } from '../db/migrate.ts';
import * as audit from '../features/admin/audit.store.ts';
import * as derivedTables from '../features/reputation/derived-tables.store.ts';
import { CommandError } from './describe-error.ts';
import { openInstallation } from './open-store.ts';
import { withDatabase } from './with-database.ts';

/**
 * The time limit of each statement. Many records take far longer than a statement of the service
 * may.
 */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Recomputes the tables of reputation and compares them, in one snapshot. It can run while the
 * service is running, and changes nothing.
 */
export const compareReputation = (db: Database): Promise<derivedTables.TableCheck[]> =>
  db.transaction(derivedTables.compareWithRecords, { statementTimeoutMs: STATEMENT_TIMEOUT_MS });

function printAgreements(agreements: readonly derivedTables.TableCheck[]): number {
  for (const { holds, differences } of agreements)
    process.stdout.write(
      `${differences === 0 ? 'right' : 'WRONG'}  ` +
        `${holds}${differences === 0 ? '' : ` ${differences} rows differ.`}\n`,
    );
  return agreements.filter(({ differences }) => differences > 0).length;
}

/**
 * The command `reputation check`. Errors: CommandError for any difference, so the exit code is 1.
 */
export async function runReputationCheck(settings: Settings): Promise<void> {
  const store = await openInstallation(settings);
  const db = openDatabase(store.connection, { connections: 1, statementMs: STATEMENT_TIMEOUT_MS });
  let agreements: derivedTables.TableCheck[];
  try {
    if ((await findMigration(db)) < latestMigration)
      throw new CommandError('The schema is older than this version of Stoa. Run: stoa migrate.');
    agreements = await compareReputation(db);
  } finally {
    await db[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  }
  if (printAgreements(agreements) > 0)
    throw new CommandError(
      'Reputation is not what the records make. Mend it with: stoa reputation rebuild. Then ' +
        'report this as a defect of Stoa.',
    );
  process.stdout.write('Reputation is what the records make.\n');
}

/**
 * The command `reputation rebuild`: recomputes the tables of reputation and corrects differences.
 * Records are not changed.
 * Errors: CommandError when something still differs.
 */
export const runReputationRebuild = (settings: Settings): Promise<void> =>
  withDatabase(
    settings,
    async (db, { by, now, newId }) => {
      await db.transaction(async (tx) => {
        await derivedTables.repair(tx);
        audit.append(tx, {
          id: newId(),
          administrator: { id: by },
          action: 'reputation.rebuilt',
          targetType: 'installation',
          targetId: 'reputation',
          now,
        });
      });
      if (printAgreements(await compareReputation(db)) > 0)
        throw new CommandError('Something still differs. Report this as a defect of Stoa.');
    },
    { statementMs: STATEMENT_TIMEOUT_MS },
  );
