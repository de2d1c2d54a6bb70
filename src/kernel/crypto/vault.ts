import type { Random } from '../ids.ts';
import { deriveKey, seal, unseal } from './sealing.ts';

/**
 * Keeps secrets that the service itself must use again, encrypted at rest under a key of the
 * installation's settings.
 */
export interface Vault {
  /** `about` says whose secret it is: what is sealed opens for nothing else. */
  seal(secret: Uint8Array, about: string): Buffer;
  /** Errors: throws when it was sealed under another key, or about something else. */
  open(sealed: Buffer, about: string): Buffer;
}

/** `key`: 64 hex digits, or null for an installation that keeps no such secrets. */
export function createVault(key: string | null, random: Random): Vault {
  const getKeyBytes = (): Buffer => {
    if (key === null) throw new Error('There is no key to keep secrets under.');
    return Buffer.from(key, 'hex');
  };
  return {
    seal: (secret, about) => seal(getKeyBytes(), secret, about, random),
    open: (sealed, about) => unseal(getKeyBytes(), sealed, about),
  };
}

const PLAIN_MARKER = 0;
const SEALED_MARKER = 1;

/**
 * Keeps secrets under DATA_KEY (64 hex digits) where it is set, and as they are where it is not:
 * what lies in the database then says which. `open` throws for what was sealed under another key or
 * is about something else, and where the key is missing.
 */
export function createDataVault(dataKey: string | null, random: Random): Vault {
  const key = dataKey === null ? null : deriveKey(Buffer.from(dataKey, 'hex'), '', 'stoa secrets');
  return {
    seal: (secret, about) =>
      key
        ? Buffer.concat([Buffer.of(SEALED_MARKER), seal(key, secret, about, random)])
        : Buffer.concat([Buffer.of(PLAIN_MARKER), secret]),
    open(kept, about) {
      if (kept[0] === PLAIN_MARKER) return kept.subarray(1);
      if (!key) throw new Error('DATA_KEY must be set: this secret was sealed under one.');
      return unseal(key, kept.subarray(1), about);
    },
  };
}
