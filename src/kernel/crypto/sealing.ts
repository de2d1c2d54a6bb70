import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '../ids.ts';

/** A key for one purpose, of a secret that has more than one (HKDF-SHA256). */
export const deriveKey = (secret: string | Uint8Array, salt: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, purpose, 32));

/**
 * AES-256-GCM with a fresh nonce: nonce (12), tag (16), ciphertext. `about` is not kept, but must
 * be the same to open it: what is sealed cannot be moved.
 */
export function seal(key: Uint8Array, plain: Uint8Array, about: string, random: Random): Buffer {
  const nonce = random(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Errors: throws when the key is another one, the bytes were changed, or they are about something
 * else.
 */
export function unseal(key: Uint8Array, bytes: Buffer, about: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), {
    authTagLength: 16,
  }).setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}
