import type { Random } from './ids.ts';
import { seal, unseal } from './sealing.ts';

/** Keeps secrets that the service itself must use again, encrypted at rest under a key of the installation's settings. */
export interface Vault {
  /** `about` says whose secret it is: what is sealed opens for nothing else. */
  seal(secret: Uint8Array, about: string): Buffer;
  /** Errors: throws when it was sealed under another key, or about something else. */
  open(sealed: Buffer, about: string): Buffer;
}

/** `key`: 64 hex digits, or null for an installation that keeps no such secrets. */
export function createVault(key: string | null, random: Random): Vault {
  const bytes = (): Buffer => {
    if (key === null) throw new Error('There is no key to keep secrets under.');
    return Buffer.from(key, 'hex');
  };
  return { seal: (secret, about) => seal(bytes(), secret, about, random), open: (sealed, about) => unseal(bytes(), sealed, about) };
}
