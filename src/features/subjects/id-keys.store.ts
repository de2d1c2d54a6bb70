import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Random } from '../../kernel/ids.ts';

/** What keeps the key of subject ids, and makes it once. */
export interface IdKeyContext {
  readonly dataSecrets: Vault;
  readonly random: Random;
}

const ABOUT = 'subject ids';

const findKey = (tx: Transaction) =>
  tx.first<{ key: Buffer }>(sql`SELECT key FROM subject_id_keys`);

/**
 * Returns the key of this installation from which ids of external subjects are computed. The first
 * call makes it; of several concurrent ones, all return the same.
 */
export async function getKey(
  tx: Transaction,
  { dataSecrets, random }: IdKeyContext,
): Promise<Buffer> {
  const existing = await findKey(tx);
  if (existing) return dataSecrets.open(existing.key, ABOUT);
  const sealed = dataSecrets.seal(random(32), ABOUT);
  // A concurrent transaction may have inserted its own. Then this one waits for it and reads it.
  tx.send(sql`
    INSERT INTO subject_id_keys (key)
    VALUES (${sealed})
    ON CONFLICT
    DO NOTHING
  `);
  const stored = await findKey(tx);
  if (!stored) throw new Error('There is no key of subject ids.');
  return dataSecrets.open(stored.key, ABOUT);
}
