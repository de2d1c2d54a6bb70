import type { Transaction } from '../../db/database.ts';
import { createSecret, sha256 } from '../../kernel/crypto/credentials.ts';
import type { NewId, Random } from '../../kernel/ids.ts';
import * as audit from '../admin/audit.store.ts';
import { assertInFuture } from './rules.ts';
import * as tokens from './store.ts';

/*
 * What operations of administrators and the command line both do.
 */

/** Who acts and when. */
interface Act {
  readonly administrator: { readonly id: string };
  readonly now: string;
  readonly newId: NewId;
}

/** What a token allows. */
interface TokenGrant {
  readonly uses: number;
  readonly expiresAt: string | null;
  readonly note: string | null;
}

/**
 * Creates a token. The returned `token` is the secret: only its hash is stored.
 * Errors: `invalid_request` for a time that has passed.
 */
export function createToken(
  tx: Transaction,
  { administrator, now, newId, random }: Act & { readonly random: Random },
  { uses, expiresAt, note }: TokenGrant,
) {
  assertInFuture(expiresAt, now);
  const id = newId();
  const token = createSecret('registration', random);
  tokens.insert(tx, {
    id,
    secretSha256: sha256(token),
    uses,
    expiresAt,
    note,
    createdBy: administrator.id,
    createdAt: now,
  });
  audit.append(tx, {
    id: newId(),
    administrator,
    action: 'registration-token.created',
    targetType: 'registration-token',
    targetId: id,
    reason: note,
    facts: { uses, expiresAt },
    now,
  });
  return { id, token, uses, expiresAt, note, createdAt: now };
}

/** Revokes a token at once; again is harmless. Returns whether there is one with this id. */
export async function revokeToken(
  tx: Transaction,
  id: string,
  { administrator, now, newId }: Act,
): Promise<boolean> {
  if (!(await tokens.setRevoked(tx, id, now))) return false;
  audit.append(tx, {
    id: newId(),
    administrator,
    action: 'registration-token.revoked',
    targetType: 'registration-token',
    targetId: id.toLowerCase(),
    now,
  });
  return true;
}
