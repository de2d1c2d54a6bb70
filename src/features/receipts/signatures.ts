import type { Queryable } from '../../db/database.ts';
import type { Signer } from '../../kernel/crypto/signer.ts';
import * as receipts from './store.ts';

/**
 * The signatures of receipts, by their ids: those that are there, and those that nobody asked for yet, made now. Whoever else makes one
 * at the same moment: the first that is kept is what all give, for ever.
 */
export async function signaturesOf(
  db: Queryable,
  sign: Signer['sign'],
  wanted: readonly { readonly id: string; readonly canonical: string }[],
): Promise<ReadonlyMap<string, receipts.StoredSignature>> {
  const ids = wanted.map(({ id }) => id);
  const list = async () =>
    new Map(
      (await receipts.listSignatures(db, ids)).map((signature) => [signature.eventId, signature]),
    );
  const known = await list();
  const missing = wanted.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return known;
  await receipts.insertSignatures(
    db,
    await Promise.all(
      missing.map(async ({ id, canonical }) => ({ eventId: id, ...(await sign(canonical)) })),
    ),
  );
  return list();
}
