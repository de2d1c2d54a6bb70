import type { Queryable } from '../../db/database.ts';
import { createSecret } from '../../kernel/credentials.ts';
import type { NewId, Random } from '../../kernel/ids.ts';
import * as keys from './store.ts';

/** Keys of administrators, for the command line: no operation makes them. */

/** Makes a key that works at once on every node. `key` is the secret: shown now, stored only as its hash. */
export async function createAdminKey(
  db: Queryable,
  { name, now, newId, random }: { readonly name: string; readonly now: string; readonly newId: NewId; readonly random: Random },
) {
  const made = { id: newId(), name, key: createSecret('admin', random) };
  await keys.insertAdminKey(db, { ...made, now });
  return made;
}

/** All keys that were ever made here, newest first, without their secrets. Those of the settings are not among them. */
export const listAdminKeys = (db: Queryable): Promise<keys.AdminKeyRow[]> => keys.listAdminKeys(db);

/** Stops a key at its next request. Returns whether there was a live one with this id. */
export const revokeAdminKey = async (db: Queryable, id: string, now: string): Promise<boolean> => (await keys.revokeAdminKey(db, id, now)) > 0;
