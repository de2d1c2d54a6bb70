import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Facts, majorityOf, project, scoreOf, type Tally, votesOf, wilson } from './rules.ts';

const tally = (operator: string | null, upheld: number, rejected: number, more: Partial<Tally> = {}): Tally => ({
  ...{ operator, agents: 1, upheld, rejected },
  ...more,
});
const nothing: Facts = { counts: {}, tallies: [], operatorsRecordedAt: null, targetOperator: null, recentFindings: [], recordedAt: null };
const target = { kind: 'agent', id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', context: null } as const;
const projected = (facts: Partial<Facts>) => project(target, { ...nothing, ...facts });
const own = (name: string, recordedAt = '2026-01-01T00:00:00.000Z') => ({ name, recordedAt });

describe('the value', () => {
  // Computed apart, with 30 digits, by the formula of Wilson (1927) with z = 1.959963984540054.
  it.each([
    [3, 0, 0.438503, 1],
    [0, 3, 0, 0.561497],
    [2, 1, 0.20766, 0.938508],
    [8, 2, 0.490162, 0.943318],
    [50, 50, 0.403832, 0.596168],
    [1000, 0, 0.996173, 1],
  ])('[reputation.wilson] of %i upheld and %i rejected is the lower bound of its interval', (upheld, rejected, lower, upper) => {
    expect(wilson(upheld, rejected)).toEqual({ lower, upper });
    expect(scoreOf({ upheld, rejected })).toEqual({ state: 'scored', value: lower, interval: { lower, upper } });
  });

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
  ] as const)('[reputation.majority] an operator with %i upheld and %i rejected counts as %s', (upheld, rejected, result) => {
    expect(majorityOf({ upheld, rejected })).toBe(result);
  });

  const [a, b, c] = [tally('A', 1, 0), tally('B', 5, 2), tally('C', 1, 0)];
  it.each([
    ['nobody', [], null, 0, 0, 'insufficient_evidence'],
    ['two known', [a, b], null, 2, 0, 'insufficient_evidence'],
    ['three known', [a, b, c], null, 3, 0, 'scored'],
    ['three known, one against', [a, b, tally('C', 0, 4)], null, 2, 1, 'scored'],
    ['three known, one of them undecided', [a, b, tally('C', 2, 2)], null, 2, 0, 'insufficient_evidence'],
    ['four known, one of them undecided', [a, b, c, tally('D', 1, 1)], null, 3, 0, 'scored'],
    ['three known, one of them the target’s', [a, b, c], 'B', 2, 0, 'insufficient_evidence'],
    ['four known, one of them the target’s', [a, b, c, tally('D', 0, 9)], 'D', 3, 0, 'scored'],
    ['two known and a thousand unknown', [a, b, tally(null, 1000, 0, { agents: 1000 })], null, 2, 0, 'insufficient_evidence'],
    ['three known and a thousand unknown against', [a, b, c, tally(null, 0, 1000, { agents: 1000 })], null, 3, 0, 'scored'],
    ['one known with a thousand agents', [tally('A', 1000, 0, { agents: 1000 })], null, 1, 0, 'insufficient_evidence'],
    ['one called as nobody is', [tally('', 1, 0), tally('null', 1, 0), tally('undefined', 1, 0)], null, 3, 0, 'scored'],
  ] as const)(
    '[reputation.threshold] [reputation.related] [reputation.once] [reputation.unknown] %s',
    (_, tallies, targetOperator, upheld, rejected, state) => {
      expect(votesOf(tallies, targetOperator)).toEqual({ upheld, rejected });
      const { score, operators } = projected({ tallies, targetOperator: targetOperator === null ? null : own(targetOperator) });
      expect(score.state).toBe(state);
      expect(score.value === null).toBe(state === 'insufficient_evidence');
      const unknown = tallies.find(({ operator }) => operator === null)?.agents ?? 0;
      expect(operators).toEqual({ knownIndependent: upheld + rejected, unknown, threshold: 3 });
    },
  );
});

describe('the time of a projection', () => {
  const finding = { caseId: target.id, interactionId: target.id, result: 'upheld', closedAt: '2026-03-04T00:00:00.000Z' } as const;
  const of = (operatorsRecordedAt: string) => ({ tallies: [tally('A', 1, 0)], operatorsRecordedAt });
  it.each([
    ['an interaction', { recordedAt: '2026-03-01T00:00:00.000Z' }, '2026-03-01T00:00:00.000Z'],
    ['a finding', { recordedAt: '2026-03-01T00:00:00.000Z', recentFindings: [finding] }, '2026-03-04T00:00:00.000Z'],
    [
      'the operator behind one',
      { recordedAt: '2026-03-01T00:00:00.000Z', recentFindings: [finding], ...of('2026-03-05T00:00:00.000Z') },
      '2026-03-05T00:00:00.000Z',
    ],
    [
      'the operator of the target, compared',
      { ...of('2026-03-05T00:00:00.000Z'), targetOperator: own('B', '2026-03-06T00:00:00.000Z') },
      '2026-03-06T00:00:00.000Z',
    ],
    [
      'not the operator of the target, where none is known',
      { recordedAt: '2026-03-01T00:00:00.000Z', tallies: [tally(null, 1, 0)], targetOperator: own('B', '2026-03-06T00:00:00.000Z') },
      '2026-03-01T00:00:00.000Z',
    ],
    ['nothing', {}, null],
  ])('[reputation.as-of] is that of the newest fact: %s', (_, facts: Partial<Facts>, time) => {
    expect(projected(facts).asOf).toBe(time);
  });
});
