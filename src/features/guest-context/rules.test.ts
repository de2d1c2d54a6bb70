import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { installation } from '../../../test/support/installation.ts';
import { StoaError } from '../../kernel/errors.ts';
import {
  canonicalizeValue,
  countEntryBytes,
  type GuestEntry,
  toGuestContextLimits,
} from './guest-entry.rules.ts';
import { type ContextState, planDelete, planWrite } from './rules.ts';

const timeAt = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`;
const NOW = timeAt(10);
const limits = { keys: 3, bytes: 100 };
const buildEntry = (key: string, more: Partial<GuestEntry> = {}): GuestEntry => ({
  key,
  version: 1,
  bytes: 10,
  createdAt: timeAt(0),
  expiresAt: timeAt(20),
  ...more,
});
const buildState = (...entries: GuestEntry[]): ContextState => ({ floor: 0, entries });
const tryWrite = (
  state: ContextState,
  expected: number | null = null,
  more: Partial<Pick<GuestEntry, 'key' | 'bytes' | 'expiresAt'>> = {},
) =>
  planWrite(state, { key: 'a', bytes: 10, expiresAt: timeAt(40), ...more }, expected, limits, NOW);

/** Returns the code and members of the error that a decision throws, or undefined. */
function getRefusal(decide: () => unknown) {
  try {
    decide();
    return undefined;
  } catch (error) {
    if (error instanceof StoaError) return { code: error.code, ...error.members };
    throw error;
  }
}

describe('a write', () => {
  it('[guest.version] increments the version of the entry, or begins at 1', () => {
    expect(tryWrite(buildState())).toEqual({
      version: 1,
      createdAt: NOW,
      floor: 0,
      dueAt: timeAt(40),
    });
    expect(tryWrite(buildState(buildEntry('a', { version: 4 }), buildEntry('b')), 4)).toEqual({
      version: 5,
      createdAt: timeAt(0),
      floor: 0,
      dueAt: timeAt(20),
    });
    for (const expected of [0, null])
      expect(tryWrite(buildState(buildEntry('b')), expected).version).toBe(1);
  });

  it('[guest.version] that expects another version is refused', () => {
    const state = buildState(buildEntry('a', { version: 4 }));
    for (const expected of [0, 3, 5])
      expect(getRefusal(() => tryWrite(state, expected))).toEqual({
        code: 'version_conflict',
        currentVersion: 4,
      });
    expect(getRefusal(() => tryWrite(buildState(), 1))).toEqual({
      code: 'version_conflict',
      currentVersion: 0,
    });
  });

  it('[guest.version-once] continues above the versions of all deleted entries', () => {
    expect(tryWrite({ floor: 7, entries: [] }, 0).version).toBe(8);
    const gone = buildState(
      buildEntry('a', { version: 3, expiresAt: NOW }),
      buildEntry('b', { version: 9, expiresAt: timeAt(1) }),
    );
    expect(tryWrite(gone, 0)).toEqual({ version: 10, createdAt: NOW, floor: 9, dueAt: timeAt(40) });
    expect(getRefusal(() => tryWrite(gone, 3))).toEqual({
      code: 'version_conflict',
      currentVersion: 0,
    });
  });

  it('[guest.quota] beyond a limit is refused with that limit', () => {
    const full = buildState(buildEntry('b'), buildEntry('c'), buildEntry('d'));
    expect(getRefusal(() => tryWrite(full))).toEqual({ code: 'limit_exceeded', limit: 3 });
    expect(getRefusal(() => tryWrite(full, null, { key: 'd' }))).toBeUndefined();
    expect(
      getRefusal(() => tryWrite(buildState(buildEntry('b')), null, { bytes: 90 })),
    ).toBeUndefined();
    expect(getRefusal(() => tryWrite(buildState(buildEntry('b')), null, { bytes: 91 }))).toEqual({
      code: 'limit_exceeded',
      limit: 100,
    });
    const expired = [
      buildEntry('b', { expiresAt: NOW, bytes: 100 }),
      buildEntry('c', { expiresAt: timeAt(9) }),
    ];
    expect(
      getRefusal(() =>
        tryWrite(buildState(...expired, buildEntry('d'), buildEntry('e')), null, { bytes: 80 }),
      ),
    ).toBeUndefined();
  });

  it('[guest.quota] that does not grow an oversized context is accepted', () => {
    const oversized = buildState(buildEntry('a', { bytes: 150 }), buildEntry('b', { bytes: 60 }));
    for (const bytes of [149, 150])
      expect(getRefusal(() => tryWrite(oversized, null, { bytes }))).toBeUndefined();
    expect(getRefusal(() => tryWrite(oversized, null, { bytes: 151 }))).toEqual({
      code: 'limit_exceeded',
      limit: 100,
    });
  });

  it('[guest.quota] counts keys and canonical values in bytes', () => {
    expect(canonicalizeValue({ b: 1, a: 'é' })).toBe('{"a":"é","b":1}');
    expect(countEntryBytes('key', canonicalizeValue({ b: 1, a: 'é' }))).toBe(3 + 16);
  });
});

describe('a deletion', () => {
  it('[guest.delete] deletes a live entry in the expected version', () => {
    const state = buildState(
      buildEntry('a', { version: 4 }),
      buildEntry('b', { expiresAt: timeAt(30) }),
    );
    for (const expected of [4, null])
      expect(planDelete(state, 'a', expected, NOW)).toEqual({
        version: 4,
        floor: 4,
        dueAt: timeAt(30),
      });
    expect(getRefusal(() => planDelete(state, 'a', 3, NOW))).toEqual({
      code: 'version_conflict',
      currentVersion: 4,
    });
    expect(getRefusal(() => planDelete(state, 'c', null, NOW))).toEqual({ code: 'not_found' });
    expect(
      getRefusal(() => planDelete(buildState(buildEntry('a', { expiresAt: NOW })), 'a', null, NOW)),
    ).toEqual({ code: 'not_found' });
  });

  it('[guest.expiry-job] of the last entry makes its context due for removal now', () => {
    expect(planDelete(buildState(buildEntry('a')), 'a', null, NOW).dueAt).toBe(NOW);
  });
});

describe('any sequence of writes, deletions, expiries and removals', () => {
  it('[guest.version-once] never uses a version of a key twice', () => {
    const step = fc.record({
      kind: fc.constantFrom('write', 'write', 'delete', 'expire', 'remove'),
      key: fc.constantFrom('a', 'b', 'c'),
    });
    const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state: ContextState = buildState();
      const seen = new Set<string>();
      for (const { kind, key } of steps) {
        const others = state.entries.filter((one) => one.key !== key);
        const mine = state.entries.filter((one) => one.key === key);
        if (kind === 'write') {
          const { version, floor } = tryWrite(state, null, { key });
          expect(seen.has(`${key} ${version}`)).toBe(false);
          seen.add(`${key} ${version}`);
          // The store deletes expired entries when their context changes.
          state = {
            floor,
            entries: [
              ...others.filter(({ expiresAt }) => expiresAt > NOW),
              buildEntry(key, { version }),
            ],
          };
        } else if (kind === 'delete' && mine.some(({ expiresAt }) => expiresAt > NOW)) {
          state = {
            floor: planDelete(state, key, null, NOW).floor,
            entries: others.filter(({ expiresAt }) => expiresAt > NOW),
          };
        } else if (kind === 'expire') {
          state = {
            ...state,
            entries: [...others, ...mine.map((one) => ({ ...one, expiresAt: timeAt(5) }))],
          };
        } else if (kind === 'remove') {
          const gone = state.entries.filter(({ expiresAt }) => expiresAt <= NOW);
          state = {
            floor: Math.max(state.floor, ...gone.map(({ version }) => version)),
            entries: state.entries.filter((one) => !gone.includes(one)),
          };
        }
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe('the limits', () => {
  it('[guest.guide] the limits are those of the installation', () => {
    expect(toGuestContextLimits(installation.limits)).toEqual({
      keys: 8,
      bytes: 65_536,
      keyCharacters: 128,
      minTtlSeconds: 60,
      maxTtlSeconds: 2_592_000,
    });
  });
});
