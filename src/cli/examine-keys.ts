import type { Settings } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { openDatabase } from '../db/database.ts';
import { findMigration, latestMigration } from '../db/migrate.ts';
import * as log from '../features/log/open-log.ts';
import * as receipts from '../kernel/crypto/signer.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';

const keys = [
  { what: 'The key that signs receipts', assertOpens: receipts.assertKeyOpens },
  { what: 'The key of the log', assertOpens: log.assertLogKeyOpens },
];

/**
 * Examines whether these settings open the keys with which the installation signs. The service does
 * not start otherwise. It changes nothing.
 */
export async function* examineKeys(
  connection: Connection,
  { DATA_KEY }: Settings,
): AsyncGenerator<Finding> {
  const db = openDatabase(connection, { connections: 1 });
  try {
    if ((await findMigration(db)) !== latestMigration) return;
    for (const { what, assertOpens } of keys)
      yield await assertOpens(db, DATA_KEY).then(
        () => buildOkFinding(`${what} opens with these settings.`),
        (error: unknown) => {
          if (error instanceof receipts.SigningKeyError)
            return buildFaultFinding(error.message, '');
          throw error;
        },
      );
  } catch {
    // `examineDatabase` has already reported that the database does not answer.
  } finally {
    await db[Symbol.asyncDispose]();
  }
}
