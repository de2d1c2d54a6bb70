import { createHmac } from 'node:crypto';
import { deriveKey } from '../../kernel/crypto/sealing.ts';

/** Names of one dataset for agents and contexts: the same within it, and without its key nothing that leads to them or to those of another. */
export interface Pseudonyms {
  author(id: string): string;
  context(name: string): string;
  /** Goes before what is hashed for the order of rows. */
  readonly shuffle: Buffer;
}

/** Pseudonyms in memory at once. */
const MOST = 10_000;

/** A pseudonym is 128 bits of HMAC-SHA256, as base64url. */
export function pseudonyms(secret: Buffer): Pseudonyms {
  const key = (purpose: string): Buffer => deriveKey(secret, '', `stoa research ${purpose}`);
  const named = (purpose: string) => {
    const [own, made] = [key(purpose), new Map<string, string>()];
    return (name: string): string => {
      const pseudonym =
        made.get(name) ??
        createHmac('sha256', own).update(name).digest().subarray(0, 16).toString('base64url');
      if (made.size >= MOST) made.clear();
      made.set(name, pseudonym);
      return pseudonym;
    };
  };
  return { author: named('author'), context: named('context'), shuffle: key('order') };
}
