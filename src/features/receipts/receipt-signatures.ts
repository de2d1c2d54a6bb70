import type { Queryable } from '../../db/database.ts';
import type { Signer } from '../../kernel/crypto/signer.ts';
import * as signaturesStore from './signatures.store.ts';

/**
 * Returns the signatures of receipts by their ids. A signature that nobody requested before is
 * created now. If two nodes create one at the same moment, the first that is stored is final, and
 * both return it.
 */
export async function getSignatures(
  db: Queryable,
  sign: Signer['sign'],
  wanted: readonly { readonly id: string; readonly canonical: string }[],
): Promise<ReadonlyMap<string, signaturesStore.StoredSignature>> {
  const ids = wanted.map(({ id }) => id);
  const loadSignatures = async () =>
    new Map(
      (await signaturesStore.listSignatures(db, ids)).map((signature) => [
        signature.eventId,
        signature,
      ]),
    );
  const signatures = await loadSignatures();
  const missing = wanted.filter(({ id }) => !signatures.has(id));
  if (missing.length === 0) return signatures;
  await signaturesStore.insertSignatures(
    db,
    await Promise.all(
      missing.map(async ({ id, canonical }) => ({ eventId: id, ...(await sign(canonical)) })),
    ),
  );
  return loadSignatures();
}
