import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildReputation,
  computeScore,
  excludeOwnVote,
  findMajority,
  type ReputationFacts,
} from './rules.ts';
import { computeWilsonInterval } from './wilson-interval.rules.ts';

const noFacts: ReputationFacts = {
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
const buildFrom = (facts: Partial<ReputationFacts>) =>
  buildReputation(target, { ...noFacts, ...facts }, true);
const countKnown = (upheld: number, rejected: number, unknown?: number) => ({
  known_upheld: upheld,
  known_rejected: rejected,
  ...(unknown && { unknown }),
});
const buildTargetOperator = (
  upheld: number,
  rejected: number,
  recordedAt = '2026-01-01T00:00:00.000Z',
) => ({
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
      expect(computeWilsonInterval(upheld, rejected)).toEqual({ lower, upper });
      expect(computeScore({ upheld, rejected })).toEqual({
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
        const { lower, upper } = computeWilsonInterval(upheld, rejected);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower).toBeLessThanOrEqual(upper);
        expect(computeWilsonInterval(upheld + 1, rejected).lower).toBeGreaterThanOrEqual(lower);
        expect(computeWilsonInterval(upheld, rejected + 1).lower).toBeLessThanOrEqual(lower);
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
      expect(findMajority({ upheld, rejected })).toBe(result);
    },
  );

  it.each([
    ['nobody', {}, null, 0, 0, 'insufficient_evidence'],
    ['two known', countKnown(2, 0), null, 2, 0, 'insufficient_evidence'],
    ['three known', countKnown(3, 0), null, 3, 0, 'scored'],
    ['three known, one against', countKnown(2, 1), null, 2, 1, 'scored'],
    [
      'three known, one of them the target’s',
      countKnown(3, 0),
      buildTargetOperator(5, 2),
      2,
      0,
      'insufficient_evidence',
    ],
    [
      'three known, one of them the target’s against',
      countKnown(2, 1),
      buildTargetOperator(0, 1),
      2,
      0,
      'insufficient_evidence',
    ],
    [
      'four known, one of them the target’s',
      countKnown(3, 1),
      buildTargetOperator(0, 9),
      3,
      0,
      'scored',
    ],
    [
      'three known, and the target’s undecided',
      countKnown(3, 0),
      buildTargetOperator(4, 4),
      3,
      0,
      'scored',
    ],
    [
      'three known, and the target’s with nothing',
      countKnown(3, 0),
      buildTargetOperator(0, 0),
      3,
      0,
      'scored',
    ],
    [
      'two known and a thousand unknown',
      countKnown(2, 0, 1000),
      null,
      2,
      0,
      'insufficient_evidence',
    ],
    ['three known and a thousand unknown', countKnown(3, 0, 1000), null, 3, 0, 'scored'],
  ] as const)(
    '[reputation.threshold] [reputation.related] [reputation.unknown] %s',
    (_, counts: ReputationFacts['counts'], targetOperator, upheld, rejected, state) => {
      expect(
        excludeOwnVote(
          { upheld: counts.known_upheld ?? 0, rejected: counts.known_rejected ?? 0 },
          targetOperator,
        ),
      ).toEqual({ upheld, rejected });
      const { score, operators } = buildFrom({ counts, targetOperator });
      expect(score.state).toBe(state);
      expect(score.value === null).toBe(state === 'insufficient_evidence');
      expect(operators).toEqual({
        upheld,
        rejected,
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
  const withOperatorsRecordedAt = (operatorsRecordedAt: string) => ({
    counts: countKnown(1, 0),
    operatorsRecordedAt,
  });
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
        ...withOperatorsRecordedAt('2026-03-05T00:00:00.000Z'),
      },
      '2026-03-05T00:00:00.000Z',
    ],
    [
      'the operator of the target, compared',
      {
        ...withOperatorsRecordedAt('2026-03-05T00:00:00.000Z'),
        targetOperator: buildTargetOperator(0, 0, '2026-03-06T00:00:00.000Z'),
      },
      '2026-03-06T00:00:00.000Z',
    ],
    [
      'not the operator of the target, where none is known',
      {
        recordedAt: '2026-03-01T00:00:00.000Z',
        counts: { unknown: 1 },
        targetOperator: buildTargetOperator(0, 0, '2026-03-06T00:00:00.000Z'),
      },
      '2026-03-01T00:00:00.000Z',
    ],
    ['nothing', {}, null],
  ])(
    '[reputation.as-of] is that of the newest fact: %s',
    (_, facts: Partial<ReputationFacts>, time) => {
      expect(buildFrom(facts).asOf).toBe(time);
    },
  );
});
