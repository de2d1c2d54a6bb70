import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Facts, majorityOf, project, scoreOf, votesOf, wilson } from './rules.ts';

const nothing: Facts = {
  counts: {},
  operatorsRecordedAt: null,
  targetOperator: null,
  recentFindings: [],
  recordedAt: null,
};
const target = {
  kind: 'agent',
  id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  context: null,
} as const;
const projected = (facts: Partial<Facts>) => project(target, { ...nothing, ...facts });
const known = (upheld: number, rejected: number, unknown?: number) => ({
  known_upheld: upheld,
  known_rejected: rejected,
  ...(unknown && { unknown }),
});
const own = (upheld: number, rejected: number, recordedAt = '2026-01-01T00:00:00.000Z') => ({
  upheld,
  rejected,
  recordedAt,
});

describe('the value', () => {
  // Computed apart, with 30 digits, by the formula of Wilson (1927) with z = 1.959963984540054.
  it.each([
    [3, 0, 0.438503, 1],
    [0, 3, 0, 0.561497],
    [2, 1, 0.20766, 0.938508],
    [8, 2, 0.490162, 0.943318],
    [50, 50, 0.403832, 0.596168],
    [1000, 0, 0.996173, 1],
  ])(
    '[reputation.wilson] of %i upheld and %i rejected is the lower bound of its interval',
    (upheld, rejected, lower, upper) => {
      expect(wilson(upheld, rejected)).toEqual({ lower, upper });
      expect(scoreOf({ upheld, rejected })).toEqual({
        state: 'scored',
        value: lower,
        interval: { lower, upper },
      });
    },
  );

  it('[reputation.wilson] is within 0 and 1, and never less for one upheld more', () => {
    const votes = fc.nat({ max: 5_000 });
    fc.assert(
      fc.property(votes, votes, (upheld, rejected) => {
        fc.pre(upheld + rejected > 0);
        const { lower, upper } = wilson(upheld, rejected);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower).toBeLessThanOrEqual(upper);
        expect(wilson(upheld + 1, rejected).lower).toBeGreaterThanOrEqual(lower);
        expect(wilson(upheld, rejected + 1).lower).toBeLessThanOrEqual(lower);
      }),
    );
  });
});

describe('who enters it', () => {
  it.each([
    [1, 0, 'upheld'],
    [0, 1, 'rejected'],
    [100, 99, 'upheld'],
    [99, 100, 'rejected'],
    [7, 7, null],
    [0, 0, null],
  ] as const)(
    '[reputation.majority] an operator with %i upheld and %i rejected counts as %s',
    (upheld, rejected, result) => {
      expect(majorityOf({ upheld, rejected })).toBe(result);
    },
  );

  it.each([
    ['nobody', {}, null, 0, 0, 'insufficient_evidence'],
    ['two known', known(2, 0), null, 2, 0, 'insufficient_evidence'],
    ['three known', known(3, 0), null, 3, 0, 'scored'],
    ['three known, one against', known(2, 1), null, 2, 1, 'scored'],
    [
      'three known, one of them the target’s',
      known(3, 0),
      own(5, 2),
      2,
      0,
      'insufficient_evidence',
    ],
    [
      'three known, one of them the target’s against',
      known(2, 1),
      own(0, 1),
      2,
      0,
      'insufficient_evidence',
    ],
    ['four known, one of them the target’s', known(3, 1), own(0, 9), 3, 0, 'scored'],
    ['three known, and the target’s undecided', known(3, 0), own(4, 4), 3, 0, 'scored'],
    ['three known, and the target’s with nothing', known(3, 0), own(0, 0), 3, 0, 'scored'],
    ['two known and a thousand unknown', known(2, 0, 1000), null, 2, 0, 'insufficient_evidence'],
    ['three known and a thousand unknown', known(3, 0, 1000), null, 3, 0, 'scored'],
  ] as const)(
    '[reputation.threshold] [reputation.related] [reputation.unknown] %s',
    (_, counts: Facts['counts'], targetOperator, upheld, rejected, state) => {
      expect(
        votesOf(
          { upheld: counts.known_upheld ?? 0, rejected: counts.known_rejected ?? 0 },
          targetOperator,
        ),
      ).toEqual({ upheld, rejected });
      const { score, operators } = projected({ counts, targetOperator });
      expect(score.state).toBe(state);
      expect(score.value === null).toBe(state === 'insufficient_evidence');
      expect(operators).toEqual({
        knownIndependent: upheld + rejected,
        unknown: counts.unknown ?? 0,
        threshold: 3,
      });
    },
  );
});

describe('the time of a projection', () => {
  const finding = {
    caseId: target.id,
    interactionId: target.id,
    result: 'upheld',
    closedAt: '2026-03-04T00:00:00.000Z',
  } as const;
  const of = (operatorsRecordedAt: string) => ({ counts: known(1, 0), operatorsRecordedAt });
  it.each([
    ['an interaction', { recordedAt: '2026-03-01T00:00:00.000Z' }, '2026-03-01T00:00:00.000Z'],
    [
      'a finding',
      { recordedAt: '2026-03-01T00:00:00.000Z', recentFindings: [finding] },
      '2026-03-04T00:00:00.000Z',
    ],
    [
      'the operator behind one',
      {
        recordedAt: '2026-03-01T00:00:00.000Z',
        recentFindings: [finding],
        ...of('2026-03-05T00:00:00.000Z'),
      },
      '2026-03-05T00:00:00.000Z',
    ],
    [
      'the operator of the target, compared',
      { ...of('2026-03-05T00:00:00.000Z'), targetOperator: own(0, 0, '2026-03-06T00:00:00.000Z') },
      '2026-03-06T00:00:00.000Z',
    ],
    [
      'not the operator of the target, where none is known',
      {
        recordedAt: '2026-03-01T00:00:00.000Z',
        counts: { unknown: 1 },
        targetOperator: own(0, 0, '2026-03-06T00:00:00.000Z'),
      },
      '2026-03-01T00:00:00.000Z',
    ],
    ['nothing', {}, null],
  ])('[reputation.as-of] is that of the newest fact: %s', (_, facts: Partial<Facts>, time) => {
    expect(projected(facts).asOf).toBe(time);
  });
});
