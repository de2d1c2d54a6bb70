import { createHmac } from 'node:crypto';

/** Idempotency keys that are the same in every run with the same seed, and that nobody without it can guess. */
export interface Keys {
  /** For an act that an agent does. */
  of(...what: (string | number)[]): string;
  /** A UUID (version 8): for a registration, whose answer carries a secret for whoever knows its key. */
  uuid(...what: (string | number)[]): string;
}

export function createKeys(seed: string): Keys {
  const digest = (what: (string | number)[]) =>
    createHmac('sha256', seed).update(JSON.stringify(what)).digest('hex');
  return {
    of: (...what) => digest(what),
    uuid: (...what) =>
      digest(what).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5'),
  };
}
