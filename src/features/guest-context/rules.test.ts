import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { installation } from '../../../test/support/installation.ts';
import { StoaError } from '../../kernel/errors.ts';
import {
  bytesOf,
  canonicalOf,
  type Entry,
  type Holding,
  limitsOf,
  payloadOf,
  planDelete,
  planWrite,
  receiptOf,
} from './rules.ts';

const time = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`;
const NOW = time(10);
const limits = { keys: 3, bytes: 100 };
const entry = (key: string, more: Partial<Entry> = {}): Entry => ({
  key,
  version: 1,
  bytes: 10,
  createdAt: time(0),
  expiresAt: time(20),
  ...more,
});
const holding = (...entries: Entry[]): Holding => ({ floor: 0, entries });
const write = (
  held: Holding,
  expected: number | null = null,
  more: Partial<Pick<Entry, 'key' | 'bytes' | 'expiresAt'>> = {},
) => planWrite(held, { key: 'a', bytes: 10, expiresAt: time(40), ...more }, expected, limits, NOW);

/** How a decision ends: its code and members, or undefined. */
function refusal(decide: () => unknown) {
  try {
    decide();
    return undefined;
  } catch (error) {
    if (error instanceof StoaError) return { code: error.code, ...error.members };
    throw error;
  }
}

describe('a write', () => {
  it('[guest.version] counts on from the entry, or begins at 1', () => {
    expect(write(holding())).toEqual({ version: 1, createdAt: NOW, floor: 0, dueAt: time(40) });
    expect(write(holding(entry('a', { version: 4 }), entry('b')), 4)).toEqual({
      version: 5,
      createdAt: time(0),
      floor: 0,
      dueAt: time(20),
    });
    for (const expected of [0, null]) expect(write(holding(entry('b')), expected).version).toBe(1);
  });

  it('[guest.version] that expects another version is refused', () => {
    const held = holding(entry('a', { version: 4 }));
    for (const expected of [0, 3, 5])
      expect(refusal(() => write(held, expected))).toEqual({
        code: 'version_conflict',
        currentVersion: 4,
      });
    expect(refusal(() => write(holding(), 1))).toEqual({
      code: 'version_conflict',
      currentVersion: 0,
    });
  });

  it('[guest.version-once] goes on above all that is gone', () => {
    expect(write({ floor: 7, entries: [] }, 0).version).toBe(8);
    const gone = holding(
      entry('a', { version: 3, expiresAt: NOW }),
      entry('b', { version: 9, expiresAt: time(1) }),
    );
    expect(write(gone, 0)).toEqual({ version: 10, createdAt: NOW, floor: 9, dueAt: time(40) });
    expect(refusal(() => write(gone, 3))).toEqual({ code: 'version_conflict', currentVersion: 0 });
  });

  it('[guest.quota] beyond the limits is refused, and says which', () => {
    const full = holding(entry('b'), entry('c'), entry('d'));
    expect(refusal(() => write(full))).toEqual({ code: 'limit_exceeded', limit: 3 });
    expect(refusal(() => write(full, null, { key: 'd' }))).toBeUndefined();
    expect(refusal(() => write(holding(entry('b')), null, { bytes: 90 }))).toBeUndefined();
    expect(refusal(() => write(holding(entry('b')), null, { bytes: 91 }))).toEqual({
      code: 'limit_exceeded',
      limit: 100,
    });
    const expired = [
      entry('b', { expiresAt: NOW, bytes: 100 }),
      entry('c', { expiresAt: time(9) }),
    ];
    expect(
      refusal(() => write(holding(...expired, entry('d'), entry('e')), null, { bytes: 80 })),
    ).toBeUndefined();
  });

  it('[guest.quota] that does not add to what was too much already is taken', () => {
    const much = holding(entry('a', { bytes: 150 }), entry('b', { bytes: 60 }));
    for (const bytes of [149, 150])
      expect(refusal(() => write(much, null, { bytes }))).toBeUndefined();
    expect(refusal(() => write(much, null, { bytes: 151 }))).toEqual({
      code: 'limit_exceeded',
      limit: 100,
    });
  });

  it('[guest.quota] counts keys and canonical values in bytes', () => {
    expect(canonicalOf({ b: 1, a: 'é' })).toBe('{"a":"é","b":1}');
    expect(bytesOf('key', canonicalOf({ b: 1, a: 'é' }))).toBe(3 + 16);
  });
});

describe('a deletion', () => {
  it('[guest.delete] takes what is there, in the expected version', () => {
    const held = holding(entry('a', { version: 4 }), entry('b', { expiresAt: time(30) }));
    for (const expected of [4, null])
      expect(planDelete(held, 'a', expected, NOW)).toEqual({
        version: 4,
        floor: 4,
        dueAt: time(30),
      });
    expect(refusal(() => planDelete(held, 'a', 3, NOW))).toEqual({
      code: 'version_conflict',
      currentVersion: 4,
    });
    expect(refusal(() => planDelete(held, 'c', null, NOW))).toEqual({ code: 'not_found' });
    expect(
      refusal(() => planDelete(holding(entry('a', { expiresAt: NOW })), 'a', null, NOW)),
    ).toEqual({ code: 'not_found' });
  });

  it('[guest.expiry-job] of the last entry leaves a context to remove now', () => {
    expect(planDelete(holding(entry('a')), 'a', null, NOW).dueAt).toBe(NOW);
  });
});

describe('any sequence of writes, deletions, expiries and removals', () => {
  it('[guest.version-once] gives no version of a key twice', () => {
    const step = fc.record({
      kind: fc.constantFrom('write', 'write', 'delete', 'expire', 'remove'),
      key: fc.constantFrom('a', 'b', 'c'),
    });
    const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let held: Holding = holding();
      const seen = new Set<string>();
      for (const { kind, key } of steps) {
        const others = held.entries.filter((one) => one.key !== key);
        const mine = held.entries.filter((one) => one.key === key);
        if (kind === 'write') {
          const { version, floor } = write(held, null, { key });
          expect(seen.has(`${key} ${version}`)).toBe(false);
          seen.add(`${key} ${version}`);
          // What a store does: expired ones go when their context changes.
          held = {
            floor,
            entries: [
              ...others.filter(({ expiresAt }) => expiresAt > NOW),
              entry(key, { version }),
            ],
          };
        } else if (kind === 'delete' && mine.some(({ expiresAt }) => expiresAt > NOW)) {
          held = {
            floor: planDelete(held, key, null, NOW).floor,
            entries: others.filter(({ expiresAt }) => expiresAt > NOW),
          };
        } else if (kind === 'expire') {
          held = {
            ...held,
            entries: [...others, ...mine.map((one) => ({ ...one, expiresAt: time(5) }))],
          };
        } else if (kind === 'remove') {
          const gone = held.entries.filter(({ expiresAt }) => expiresAt <= NOW);
          held = {
            floor: Math.max(held.floor, ...gone.map(({ version }) => version)),
            entries: held.entries.filter((one) => !gone.includes(one)),
          };
        }
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe('a receipt', () => {
  it('[guest.receipt] says what its signed payload says', () => {
    const act = {
      id: 'r',
      contextId: 'c',
      action: 'written' as const,
      key: 'a',
      version: 2,
      valueSha256: 'f'.repeat(64),
      recordedAt: NOW,
    };
    const payload = payloadOf(act, installation);
    expect(payload).toEqual({
      v: 1,
      iss: 'https://stoa.example.org',
      realm: 'local',
      id: 'r',
      kind: 'guest-context.written',
      occurredAt: NOW,
      actor: { type: 'guest-context', id: 'c' },
      subject: { type: 'guest-context-entry', key: 'a', version: 2 },
      contentSha256: 'f'.repeat(64),
    });
    const { contextId: _, ...shown } = act;
    expect(receiptOf(payload, 'h.p.s')).toEqual({ ...shown, jws: 'h.p.s' });
    const deleted = { ...act, action: 'deleted' as const, valueSha256: null };
    expect(receiptOf(payloadOf(deleted, installation), 'a.b.c')).toMatchObject({
      action: 'deleted',
      valueSha256: null,
      jws: 'a.b.c',
    });
  });

  it('[guest.guide] the limits are those of the installation', () => {
    expect(limitsOf(installation.limits)).toEqual({
      keys: 8,
      bytes: 65_536,
      keyCharacters: 128,
      minTtlSeconds: 60,
      maxTtlSeconds: 2_592_000,
    });
  });
});
