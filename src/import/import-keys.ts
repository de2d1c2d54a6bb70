import { createHmac } from 'node:crypto';

/**
 * Idempotency keys that are the same in every run with one seed, and that cannot be guessed without
 * it.
 */
export interface IdempotencyKeys {
  /** Returns the key of an agent's call. */
  toKey(...what: (string | number)[]): string;
  /**
   * Returns a UUID (version 8, RFC 9562) as the key of a registration, whose response contains a
   * secret.
   */
  toUuid(...what: (string | number)[]): string;
}

/** Creates the keys of a seed. */
export function createKeys(seed: string): IdempotencyKeys {
  const computeDigest = (what: (string | number)[]) =>
    createHmac('sha256', seed).update(JSON.stringify(what)).digest('hex');
  return {
    toKey: (...what) => computeDigest(what),
    toUuid: (...what) =>
      computeDigest(what).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5'),
  };
}
