import canonicalize from 'canonicalize';
import { fail, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import {
  type GuestContextLimits,
  type GuestContextReceipt,
  KEY_CHARACTERS,
  TTL_SECONDS,
} from './schemas.ts';

/** What is in force, as the manifest and the guide tell it. */
export const limitsOf = ({
  guestContextKeys,
  guestContextBytes,
}: Installation['limits']): GuestContextLimits => ({
  keys: guestContextKeys,
  bytes: guestContextBytes,
  keyCharacters: KEY_CHARACTERS,
  minTtlSeconds: TTL_SECONDS.min,
  maxTtlSeconds: TTL_SECONDS.max,
});

/** A JSON value as it is stored, counted and hashed: its RFC 8785 form. */
export const canonicalOf = (value: unknown): string => canonicalize(value) as string;

/** What of an entry counts against the context: its key and its value. */
export const bytesOf = (key: string, canonical: string): number =>
  Buffer.byteLength(key) + Buffer.byteLength(canonical);

/** An entry without its value. */
export interface Entry {
  readonly key: string;
  readonly version: number;
  readonly bytes: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** What decides about a change of a context. */
export interface Holding {
  /** The highest version that an entry had which is gone. */
  readonly floor: number;
  /** Also those that have expired and wait for their removal. */
  readonly entries: readonly Entry[];
}

/** What a change leaves in the context's own row. */
export interface Upkeep {
  readonly floor: number;
  /** When there is next something to remove. */
  readonly dueAt: string;
}

export const noEntry = (): StoaError =>
  fail(
    'not_found',
    'This context has no such entry, or it has expired. Check the key of the entry and the key in X-Context-Key.',
  );

/** Errors: `version_conflict` with `currentVersion`, 0 where there is none. */
function assertExpected(expected: number | null, current: number): void {
  if (expected === null || expected === current) return;
  const now =
    current === 0 ? 'There is no such entry now' : `The entry is at version ${current} now`;
  throw fail(
    'version_conflict',
    `${now}. Read it again, and repeat with that version and a new idempotency key.`,
    { currentVersion: current },
  );
}

/** Errors: `limit_exceeded`. What a new setting made too much may stay, but not grow. */
function assertFits(
  others: readonly Entry[],
  before: Entry | undefined,
  bytes: number,
  limits: Pick<GuestContextLimits, 'keys' | 'bytes'>,
): void {
  if (!before && others.length >= limits.keys)
    throw fail(
      'limit_exceeded',
      `A context may have ${limits.keys} keys. Delete one first, or write to one that is there.`,
      { limit: limits.keys },
    );
  const total = others.reduce((sum, entry) => sum + entry.bytes, bytes);
  if (total > limits.bytes && bytes > (before?.bytes ?? 0))
    throw fail(
      'limit_exceeded',
      `The keys and values of a context may have ${limits.bytes} bytes, these have ${total}. Write less, or delete something.`,
      {
        limit: limits.bytes,
      },
    );
}

/** The holding at a moment: what has expired counts for nothing but its version. */
function at(now: string, { floor, entries }: Holding, key: string) {
  const isLive = (entry: Entry) => entry.expiresAt > now;
  return {
    before: entries.find((entry) => isLive(entry) && entry.key === key),
    others: entries.filter((entry) => isLive(entry) && entry.key !== key),
    floor: Math.max(
      floor,
      ...entries.filter((entry) => !isLive(entry)).map(({ version }) => version),
    ),
  };
}

const firstOf = (times: readonly string[]): string | undefined => [...times].sort()[0];

/**
 * Decides a write. A version is never used twice for a key: an entry that is made anew goes on above all that are gone.
 * Errors: `version_conflict`, `limit_exceeded`.
 */
export function planWrite(
  holding: Holding,
  entry: Pick<Entry, 'key' | 'bytes' | 'expiresAt'>,
  expectedVersion: number | null,
  limits: Pick<GuestContextLimits, 'keys' | 'bytes'>,
  now: string,
): Upkeep & Pick<Entry, 'version' | 'createdAt'> {
  const { before, others, floor } = at(now, holding, entry.key);
  assertExpected(expectedVersion, before?.version ?? 0);
  assertFits(others, before, entry.bytes, limits);
  const dueAt =
    firstOf([entry.expiresAt, ...others.map(({ expiresAt }) => expiresAt)]) ?? entry.expiresAt;
  return {
    version: (before?.version ?? floor) + 1,
    createdAt: before?.createdAt ?? now,
    floor,
    dueAt,
  };
}

/** Decides a deletion; `version` is the one that goes. Errors: `not_found`, `version_conflict`. */
export function planDelete(
  holding: Holding,
  key: string,
  expectedVersion: number | null,
  now: string,
): Upkeep & Pick<Entry, 'version'> {
  const { before, others, floor } = at(now, holding, key);
  if (!before) throw noEntry();
  assertExpected(expectedVersion, before.version);
  return {
    version: before.version,
    floor: Math.max(floor, before.version),
    dueAt: firstOf(others.map(({ expiresAt }) => expiresAt)) ?? now,
  };
}

/** What was done, as it will be signed. */
interface Act {
  readonly id: string;
  readonly contextId: string;
  readonly action: GuestContextReceipt['action'];
  readonly key: string;
  readonly version: number;
  readonly valueSha256: string | null;
  readonly recordedAt: string;
}

/** The payload of a receipt's signature (contract, section 8): the context by its id, which tells nothing of its key. */
export function payloadOf(
  { id, contextId, action, key, version, valueSha256, recordedAt }: Act,
  { baseUrl, realm }: Pick<Installation, 'baseUrl' | 'realm'>,
) {
  return {
    v: 1,
    iss: baseUrl,
    realm,
    id,
    kind: `guest-context.${action}` as const,
    occurredAt: recordedAt,
    actor: { type: 'guest-context', id: contextId },
    subject: { type: 'guest-context-entry', key, version },
    contentSha256: valueSha256,
  };
}

/** The receipt of a payload. `jws` is the payload, signed. */
export function receiptOf(
  { id, kind, subject, contentSha256, occurredAt }: ReturnType<typeof payloadOf>,
  jws: string,
): GuestContextReceipt {
  const action = kind === 'guest-context.written' ? 'written' : 'deleted';
  return {
    id,
    key: subject.key,
    action,
    version: subject.version,
    valueSha256: contentSha256,
    recordedAt: occurredAt,
    jws,
  };
}
