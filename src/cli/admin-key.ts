import type { Settings } from '../config.ts';
import { createAdminKey, listAdminKeys, revokeAdminKey } from '../features/keys/admin-keys.ts';
import { systemRandom } from '../kernel/ids.ts';
import { CommandError } from './describe-error.ts';
import { writeErrorLine, writeLine } from './print.ts';
import { withDatabase } from './with-database.ts';

/** The command `admin-key create`: creates a key and prints it, which happens only once. */
export async function runAdminKeyCreate(settings: Settings, name: string): Promise<void> {
  const { id, key } = await withDatabase(settings, (db, context) =>
    createAdminKey(db, { ...context, name, random: systemRandom }),
  );
  writeErrorLine(
    `Administrator key "${name}" (${id}). It is shown only now; send it in the header ` +
      `X-Admin-Key.`,
  );
  writeLine(key);
}

/** The command `admin-key list`: prints one line for each key, without the secret. */
export async function runAdminKeyList(settings: Settings): Promise<void> {
  const keys = await withDatabase(settings, (db) => listAdminKeys(db));
  if (keys.length === 0)
    writeErrorLine(
      'There are no administrator keys. Make one with: stoa admin-key create --name <who>',
    );
  for (const { id, prefix, name, createdAt, revokedAt } of keys)
    writeLine(
      `${id}  ${prefix}…  ${createdAt}  ${revokedAt ? `revoked ${revokedAt}` : 'active'}  ${name}`,
    );
}

/** The command `admin-key revoke`. Errors: CommandError when there is no such active key. */
export async function runAdminKeyRevoke(settings: Settings, id: string): Promise<void> {
  const revoked = await withDatabase(settings, (db, context) => revokeAdminKey(db, id, context));
  if (!revoked)
    throw new CommandError(
      `There is no active administrator key ${id}. List them with: stoa admin-key list`,
    );
  writeErrorLine(
    `Revoked ${id}. Registration tokens that it made admit nobody any more: make new ones with ` +
      'stoa registration-token create.',
  );
}
