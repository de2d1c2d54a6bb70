import { buildCompactJws } from '../../kernel/crypto/jws.ts';
import type { Signer } from '../../kernel/crypto/signer.ts';
import { canonicalizeValue } from './guest-entry.rules.ts';
import { type buildPayload, toReceipt } from './receipt.rules.ts';
import type { GuestContextReceipt } from './schemas.ts';

/**
 * Signs a payload and returns its receipt. Receipts of guest contexts are not stored: the only
 * copies are the response and its idempotent replay.
 */
export async function signReceipt(
  payload: ReturnType<typeof buildPayload>,
  sign: Signer['sign'],
): Promise<GuestContextReceipt> {
  const canonical = canonicalizeValue(payload);
  const { kid, signature } = await sign(canonical);
  return toReceipt(payload, buildCompactJws(kid, canonical, signature));
}
