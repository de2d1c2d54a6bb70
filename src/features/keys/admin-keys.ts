import type { Database, Queryable } from '../../db/database.ts';
import { createSecret } from '../../kernel/crypto/credentials.ts';
import type { NewId, Random } from '../../kernel/ids.ts';
import * as audit from '../admin/audit.store.ts';
import * as keys from './store.ts';

/** Keys of administrators, for the command line: no operation makes them. */

/** Who acts, when, and with which ids. `by` is told to the audit. */
export interface Act {
  readonly by: string;
  readonly now: string;
  readonly newId: NewId;
}

/** Makes a key that works at once on every node. `key` is the secret: shown now, stored only as its hash. */
export function createAdminKey(
  db: Database,
  { name, by, now, newId, random }: Act & { readonly name: string; readonly random: Random },
) {
  const made = { id: newId(), name, key: createSecret('admin', random) };
  return db.transaction(async (tx) => {
    await keys.insertAdminKey(tx, { ...made, now });
    audit.append(tx, {
      id: newId(),
      administrator: { id: by },
      action: 'admin-key.created',
      targetType: 'admin-key',
      targetId: made.id,
      facts: { name },
      now,
    });
    return made;
  });
}

/** All keys that were ever made here, newest first, without their secrets. Those of the settings are not among them. */
export const listAdminKeys = (db: Queryable): Promise<keys.AdminKeyRow[]> => keys.listAdminKeys(db);

/** Stops a key at its next request. Returns whether there was a live one with this id. */
export const revokeAdminKey = (
  db: Database,
  id: string,
  { by, now, newId }: Act,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const revoked = await keys.revokeAdminKey(tx, id, now);
    if (revoked) {
      const target = {
        targetType: 'admin-key',
        targetId: revoked.id,
        facts: { name: revoked.name },
      };
      audit.append(tx, {
        id: newId(),
        administrator: { id: by },
        action: 'admin-key.revoked',
        ...target,
        now,
      });
    }
    return revoked !== undefined;
  });
