import type { Settings } from '../../config.ts';
import type { Connection } from '../../db/connection.ts';
import { openDatabase } from '../../db/database.ts';
import { findMigration, latestMigration } from '../../db/migrate.ts';
import { describeKeyFault } from '../../features/webhooks/stored-secrets.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import { systemRandom } from '../../kernel/ids.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';

/**
 * Examines whether the key of the settings opens the stored secrets of webhooks. It yields nothing
 * without a key, and changes nothing.
 */
export async function* examineWebhooks(
  connection: Connection,
  { WEBHOOKS_ENCRYPTION_KEY: key }: Settings,
): AsyncGenerator<Finding> {
  if (key === null) return;
  const db = openDatabase(connection, { connections: 1 });
  try {
    if ((await findMigration(db)) !== latestMigration) return;
    const fault = await describeKeyFault({ db, webhookSecrets: createVault(key, systemRandom) });
    yield fault === null
      ? buildOkFinding('WEBHOOKS_ENCRYPTION_KEY opens the secrets of all stored webhooks.')
      : buildFaultFinding(`WEBHOOKS_ENCRYPTION_KEY ${fault}`, '');
  } catch {
    // `examineDatabase` has already reported that the database does not answer.
  } finally {
    await db[Symbol.asyncDispose]();
  }
}
