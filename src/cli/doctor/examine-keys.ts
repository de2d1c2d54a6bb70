import type { Settings } from '../../config.ts';
import type { Connection } from '../../db/connection.ts';
import { openDatabase } from '../../db/database.ts';
import { findMigration, latestMigration } from '../../db/migrate.ts';
import * as log from '../../features/log/open-log.ts';
import * as receipts from '../../kernel/crypto/signer.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';

const keys = [
  { what: 'The key that signs receipts', assertOpens: receipts.assertKeyOpens },
  { what: 'The key of the log', assertOpens: log.assertLogKeyOpens },
];

/** Realms in which no signature is worth forging. */
const unprotectedRealms = ['local', 'test'];

/**
 * Examines whether what the installation signs with lies in clear in its database, and in every
 * backup of it.
 */
export function examineClearKeys({ DATA_KEY, REALM }: Settings): Finding {
  if (DATA_KEY !== null)
    return buildOkFinding('The signing keys are encrypted in the database, under DATA_KEY.');
  const clear = 'The keys that sign receipts and the log are not encrypted in the database';
  return unprotectedRealms.includes(REALM)
    ? buildOkFinding(`${clear}, nor in its backups; DATA_KEY would encrypt them.`)
    : buildFaultFinding(
        `${clear}, nor in its backups: whoever reads those can sign as "${REALM}".`,
        'Set DATA_KEY, which encrypts them at the next start: openssl rand -hex 32.',
      );
}

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
