import { compactJws } from '../../kernel/crypto/jws.ts';
import type { Signer } from '../../kernel/crypto/signer.ts';
import { canonicalOf, type payloadOf, receiptOf } from './rules.ts';
import type { GuestContextReceipt } from './schemas.ts';

/** The receipt of a payload, signed now: it is published nowhere, so the answer, and its replay, are all that there will ever be of it. */
export async function signedReceipt(
  payload: ReturnType<typeof payloadOf>,
  sign: Signer['sign'],
): Promise<GuestContextReceipt> {
  const canonical = canonicalOf(payload);
  const { kid, signature } = await sign(canonical);
  return receiptOf(payload, compactJws(kid, canonical, signature));
}
