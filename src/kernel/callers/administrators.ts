import type { Queryable } from '../../db/database.ts';
import { isSecret, sha256 } from '../crypto/credentials.ts';
import { failCredential } from '../errors.ts';
import type { Administrator, AdministratorHashes } from './caller.ts';
import { findAdministrator } from './callers.store.ts';

const SETTING_PREFIX = 'setting:';

const toSettingId = (hash: Buffer): string =>
  `${SETTING_PREFIX}${hash.toString('hex').slice(0, 12)}`;

/**
 * Returns whether an administrator of this id had a key in the setting ADMIN_KEYS that is not there
 * any more, and so can call no more.
 */
export const hasLeftSetting = (id: string, configured: AdministratorHashes): boolean =>
  id.startsWith(SETTING_PREFIX) && !configured.some((hash) => toSettingId(hash) === id);

/**
 * Returns the administrator whose key this is: one from the settings, or one from the database.
 * Errors: `invalid_credential`.
 */
export async function authenticateAdministrator(
  db: Queryable,
  adminKey: string,
  configured: AdministratorHashes,
): Promise<Administrator> {
  const hash = sha256(adminKey);
  if (configured.some((known) => known.equals(hash))) {
    const id = toSettingId(hash);
    return { id, name: id };
  }
  const row = isSecret('admin', adminKey) ? await findAdministrator(db, hash) : undefined;
  if (!row)
    throw failCredential(
      'admin',
      'invalid_credential',
      'The key in X-Admin-Key is unknown or revoked. Make one with: stoa admin-key create.',
    );
  return row;
}
