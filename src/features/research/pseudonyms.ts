import { createHmac } from 'node:crypto';
import { deriveKey } from '../../kernel/crypto/sealing.ts';

/**
 * The pseudonyms of agents and contexts in one dataset. They are stable within the dataset. Without
 * its key they cannot be linked to the originals, or to the pseudonyms of another dataset.
 */
export interface Pseudonyms {
  nameAuthor(id: string): string;
  nameContext(name: string): string;
  /** The prefix of the hash that decides the order of rows. */
  readonly shuffle: Buffer;
}

/** Number of pseudonyms that each kind keeps in memory. */
const MAX_CACHED = 10_000;

/**
 * Creates the pseudonyms of a dataset from its key. A pseudonym is 128 bits of HMAC-SHA256 (RFC
 * 2104), as 22 characters of base64url.
 */
export function createPseudonyms(secret: Buffer): Pseudonyms {
  const deriveSubkey = (purpose: string): Buffer =>
    deriveKey(secret, '', `stoa research ${purpose}`);
  const createNamer = (purpose: string) => {
    const subkey = deriveSubkey(purpose);
    const cache = new Map<string, string>();
    return (name: string): string => {
      const pseudonym =
        cache.get(name) ??
        createHmac('sha256', subkey).update(name).digest().subarray(0, 16).toString('base64url');
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(name, pseudonym);
      return pseudonym;
    };
  };
  return {
    nameAuthor: createNamer('author'),
    nameContext: createNamer('context'),
    shuffle: deriveSubkey('order'),
  };
}
