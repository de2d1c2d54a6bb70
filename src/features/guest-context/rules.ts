import { fail } from '../../kernel/errors.ts';
import type { GuestContextLimits } from './guest-context-guide.schemas.ts';
import { entryNotFoundError, type GuestEntry } from './guest-entry.rules.ts';

/** The state of a context that decides whether it may be changed. */
export interface ContextState {
  /** The highest version of any entry that was deleted. */
  readonly floor: number;
  /** Includes entries that have expired but are not deleted yet. */
  readonly entries: readonly GuestEntry[];
}

/** The values that a change writes to the context's own row. */
export interface ContextUpdate {
  readonly floor: number;
  /** The time from which the removal job has something to delete in this context. */
  readonly dueAt: string;
}

/**
 * Asserts that an entry has the version that the caller expects.
 * Errors: `version_conflict` with `currentVersion`, which is 0 when there is no entry.
 */
function assertExpectedVersion(expected: number | null, current: number): void {
  if (expected === null || expected === current) return;
  const problem =
    current === 0 ? 'There is no such entry' : `The current version of the entry is ${current}`;
  throw fail(
    'version_conflict',
    `${problem}. Read it again, then retry with that version and a new idempotency key.`,
    { currentVersion: current },
  );
}

/**
 * Asserts that a context stays within its limits after a write. A context that exceeds limits which
 * were lowered later may keep its entries, but not grow.
 * Errors: `limit_exceeded` with `limit`.
 */
function assertWithinLimits(
  others: readonly GuestEntry[],
  before: GuestEntry | undefined,
  bytes: number,
  limits: Pick<GuestContextLimits, 'keys' | 'bytes'>,
): void {
  if (!before && others.length >= limits.keys)
    throw fail(
      'limit_exceeded',
      `A context may have ${limits.keys} keys. Delete one first, or overwrite an existing one.`,
      { limit: limits.keys },
    );
  const total = others.reduce((sum, entry) => sum + entry.bytes, bytes);
  if (total > limits.bytes && bytes > (before?.bytes ?? 0))
    throw fail(
      'limit_exceeded',
      `The keys and values of a context may have ${limits.bytes} bytes together; these would ` +
        `have ${total}. Write a smaller value, or delete an entry first.`,
      { limit: limits.bytes },
    );
}

/**
 * Splits a context into the live entry of a key and the other live entries. Expired entries count
 * only through their versions, which raise the floor.
 */
function splitEntries(now: string, { floor, entries }: ContextState, key: string) {
  const isLive = (entry: GuestEntry) => entry.expiresAt > now;
  return {
    before: entries.find((entry) => isLive(entry) && entry.key === key),
    others: entries.filter((entry) => isLive(entry) && entry.key !== key),
    floor: Math.max(
      floor,
      ...entries.filter((entry) => !isLive(entry)).map(({ version }) => version),
    ),
  };
}

const findEarliest = (times: readonly string[]): string | undefined => [...times].sort()[0];

/**
 * Decides a write and returns the entry's new version and what to write to the context's row. A
 * version is never used twice for a key: the version of a new entry is above those of all deleted
 * entries.
 * Errors: `version_conflict`, `limit_exceeded`.
 */
export function planWrite(
  state: ContextState,
  entry: Pick<GuestEntry, 'key' | 'bytes' | 'expiresAt'>,
  expectedVersion: number | null,
  limits: Pick<GuestContextLimits, 'keys' | 'bytes'>,
  now: string,
): ContextUpdate & Pick<GuestEntry, 'version' | 'createdAt'> {
  const { before, others, floor } = splitEntries(now, state, entry.key);
  assertExpectedVersion(expectedVersion, before?.version ?? 0);
  assertWithinLimits(others, before, entry.bytes, limits);
  const dueAt =
    findEarliest([entry.expiresAt, ...others.map(({ expiresAt }) => expiresAt)]) ?? entry.expiresAt;
  return {
    version: (before?.version ?? floor) + 1,
    createdAt: before?.createdAt ?? now,
    floor,
    dueAt,
  };
}

/**
 * Decides a deletion and returns the deleted version and what to write to the context's row.
 * Errors: `not_found`, `version_conflict`.
 */
export function planDelete(
  state: ContextState,
  key: string,
  expectedVersion: number | null,
  now: string,
): ContextUpdate & Pick<GuestEntry, 'version'> {
  const { before, others, floor } = splitEntries(now, state, key);
  if (!before) throw entryNotFoundError();
  assertExpectedVersion(expectedVersion, before.version);
  return {
    version: before.version,
    floor: Math.max(floor, before.version),
    dueAt: findEarliest(others.map(({ expiresAt }) => expiresAt)) ?? now,
  };
}
