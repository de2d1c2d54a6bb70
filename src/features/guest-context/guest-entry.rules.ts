import canonicalize from 'canonicalize';
import { fail, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { GuestContextLimits } from './guest-context-guide.schemas.ts';
import { KEY_CHARACTERS, TTL_SECONDS } from './schemas.ts';

/** Converts the installation's settings to the limits that the manifest and the guide show. */
export const toGuestContextLimits = ({
  guestContextKeys,
  guestContextBytes,
}: Installation['limits']): GuestContextLimits => ({
  keys: guestContextKeys,
  bytes: guestContextBytes,
  keyCharacters: KEY_CHARACTERS,
  minTtlSeconds: TTL_SECONDS.min,
  maxTtlSeconds: TTL_SECONDS.max,
});

/** Converts a JSON value to its RFC 8785 form, in which it is stored, counted and hashed. */
export const canonicalizeValue = (value: unknown): string => canonicalize(value) as string;

/** Counts the bytes of an entry that count against its context: its key and its value. */
export const countEntryBytes = (key: string, canonical: string): number =>
  Buffer.byteLength(key) + Buffer.byteLength(canonical);

/** An entry without its value. */
export interface GuestEntry {
  readonly key: string;
  readonly version: number;
  readonly bytes: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Builds the error for an entry that does not exist or has expired. */
export const entryNotFoundError = (): StoaError =>
  fail(
    'not_found',
    'This context has no such entry, or the entry has expired. Check the key of the entry and ' +
      'the key in X-Context-Key.',
  );

/**
 * Returns the time of a write: now, or when the entry was created, if the clock of this node is
 * behind that of the node which created it.
 */
export function findWriteTime(entries: readonly GuestEntry[], key: string, now: string): string {
  const { createdAt = now } = entries.find((entry) => entry.key === key) ?? {};
  return createdAt > now ? createdAt : now;
}
