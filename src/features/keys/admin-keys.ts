import type { Database, Queryable } from '../../db/database.ts';
import { createSecret } from '../../kernel/crypto/credentials.ts';
import type { NewId, Random } from '../../kernel/ids.ts';
import * as audit from '../admin/audit.store.ts';
import * as adminKeys from './admin-keys.store.ts';

/*
 * Administrator keys. Only the command line manages them, because no operation may create one.
 */

/** Who acts and when, for the audit log. */
export interface AuditContext {
  /** The administrator that the audit log names. */
  readonly by: string;
  readonly now: string;
  readonly newId: NewId;
}

/**
 * Creates a key that works at once on every node. The returned `key` is the secret: only its hash
 * is stored, so it can never be shown again.
 */
export function createAdminKey(
  db: Database,
  {
    name,
    by,
    now,
    newId,
    random,
  }: AuditContext & { readonly name: string; readonly random: Random },
) {
  const created = { id: newId(), name, key: createSecret('admin', random) };
  return db.transaction(async (tx) => {
    await adminKeys.insertAdminKey(tx, { ...created, now });
    audit.append(tx, {
      id: newId(),
      administrator: { id: by },
      action: 'admin-key.created',
      targetType: 'admin-key',
      targetId: created.id,
      facts: { name },
      now,
    });
    return created;
  });
}

/**
 * Lists all keys that were ever created here, newest first, without their secrets. Keys from the
 * settings are not included.
 */
export const listAdminKeys = (db: Queryable): Promise<adminKeys.AdminKeyRow[]> =>
  adminKeys.listAdminKeys(db);

/**
 * Revokes a key, which fails from its next request on. Returns whether there was a live key with
 * this id.
 */
export const revokeAdminKey = (
  db: Database,
  id: string,
  { by, now, newId }: AuditContext,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const revoked = await adminKeys.revokeAdminKey(tx, id, now);
    if (!revoked) return false;
    audit.append(tx, {
      id: newId(),
      administrator: { id: by },
      action: 'admin-key.revoked',
      targetType: 'admin-key',
      targetId: revoked.id,
      facts: { name: revoked.name },
      now,
    });
    return true;
  });
