import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { roundMachine } from '../transitions.ts';
import { type BallotVerdict, type BallotWithVoter, decideCountedBallots } from './ballots.rules.ts';
import {
  type Electorate,
  findIneligibility,
  type IneligibilityReason,
  type Voter,
} from './eligibility.rules.ts';
import { buildOutcome, decideResult, tallyVotes } from './outcome.rules.ts';

const OPENS = '2026-03-01T12:00:00.000Z';
const HOUR = 3600 * 1000;
const beforeOpening = (milliseconds: number) =>
  new Date(Date.parse(OPENS) - milliseconds).toISOString();

const buildVoter = (id: string, more: Partial<Voter> = {}): Voter => ({
  id,
  registeredAt: beforeOpening(24 * HOUR),
  blocked: false,
  synthetic: false,
  reviewer: true,
  group: null,
  ...more,
});
const electorate: Electorate = {
  opensAt: OPENS,
  parties: ['author', 'target', 'opener'],
  partyGroups: ['acme'],
};

const verdictByLetter = new Map<string, BallotVerdict>([
  ['u', 'upheld'],
  ['r', 'rejected'],
  ['i', 'insufficient_evidence'],
]);

/**
 * Builds ballots from words such as "u:g u r:h", in the order in which they were cast. Each word is
 * a ballot: the first letter of its verdict and, after a colon, the group of its voter.
 */
const castBallots = (text: string): BallotWithVoter[] =>
  text.split(' ').map((word, index) => {
    const [letter = '', group = null] = word.split(':');
    const verdict = verdictByLetter.get(letter);
    if (!verdict) throw new Error(`No verdict begins with "${letter}".`);
    return {
      id: `b${index}`,
      castAt: beforeOpening(-index - 1),
      verdict,
      voter: buildVoter(`v${index}`, { group }),
    };
  });

describe('eligibility', () => {
  const table: readonly (readonly [
    who: string,
    voter: Voter,
    reason: IneligibilityReason | null,
  ])[] = [
    ['any other agent', buildVoter('x'), null],
    [
      'registered exactly 24 hours before',
      buildVoter('x', { registeredAt: beforeOpening(24 * HOUR) }),
      null,
    ],
    [
      'registered one millisecond too late',
      buildVoter('x', { registeredAt: beforeOpening(24 * HOUR - 1) }),
      'registered_too_late',
    ],
    [
      'registered after the opening',
      buildVoter('x', { registeredAt: beforeOpening(-1) }),
      'registered_too_late',
    ],
    ['the author', buildVoter('author'), 'party'],
    ['the target', buildVoter('target'), 'party'],
    ['the opener', buildVoter('opener'), 'party'],
    [
      'known to have the operator of a party',
      buildVoter('x', { group: 'acme' }),
      'related_operator',
    ],
    ['known to have another operator', buildVoter('x', { group: 'other' }), null],
    ['blocked', buildVoter('x', { blocked: true }), 'blocked'],
    ['synthetic', buildVoter('x', { synthetic: true }), 'synthetic'],
    [
      'without an active reviewer capability',
      buildVoter('x', { reviewer: false }),
      'reviewer_inactive',
    ],
    [
      'ineligible for several reasons: the first counts',
      buildVoter('author', { blocked: true, synthetic: true, group: 'acme' }),
      'blocked',
    ],
  ];

  it.for(table)('[ballot.eligible] %s', ([, voter, reason]) =>
    expect(findIneligibility(voter, electorate)).toBe(reason),
  );
});

describe('the result', () => {
  const table: readonly (readonly [ballots: string, result: string, why: string])[] = [
    ['u u u', 'upheld', 'three of three'],
    ['r r r', 'rejected', 'three of three'],
    ['u u', 'inconclusive', 'no quorum'],
    ['u u r', 'upheld', 'two of three are a strict majority'],
    ['r u r', 'rejected', 'two of three against'],
    ['u u r r', 'inconclusive', 'a tie'],
    ['u u i', 'inconclusive', 'insufficient evidence is not decisive'],
    ['i i i i', 'inconclusive', 'no decisive vote at all'],
    ['u u u i i i i i', 'upheld', 'insufficient evidence does not count against'],
    ['u:a u:a u:a', 'inconclusive', 'one operator has one vote'],
    ['u:a u:b u:c', 'upheld', 'three operators have three votes'],
    ['u u r:a r:a r:a r:a', 'upheld', 'many ballots of one operator outvote nobody'],
    ['r:a u:a u u', 'upheld', 'the earliest of a group counts, here against'],
    ['i:a u:a u u', 'inconclusive', 'the earliest counts even if it is not decisive'],
    ['u:acme u:acme u u r r', 'inconclusive', 'ballots with the operator of a party do not count'],
    ['u u u r r r r', 'rejected', 'four of seven'],
  ];

  it.for(table)('[round.result] [ballot.group-once] %s: %s, %s', ([ballots, result]) => {
    const counted = decideCountedBallots(castBallots(ballots), electorate);
    const votes = tallyVotes(
      castBallots(ballots).map(({ id, verdict }) => ({
        verdict,
        counted: counted.get(id)?.counted === true,
      })),
    );
    expect(decideResult(votes)).toBe(result);
    expect(votes.upheld + votes.rejected + votes.insufficientEvidence + votes.notCounted).toBe(
      ballots.split(' ').length,
    );
  });

  it('[round.result] needs a quorum of three and a strict majority, for any votes', () => {
    for (let upheld = 0; upheld < 8; upheld++)
      for (let rejected = 0; rejected < 8; rejected++) {
        const decided =
          upheld + rejected >= 3 && 2 * Math.max(upheld, rejected) > upheld + rejected;
        expect(decideResult({ upheld, rejected })).toBe(
          decided ? (upheld > rejected ? 'upheld' : 'rejected') : 'inconclusive',
        );
      }
  });

  it('[ballot.group-once] marks ballots that do not count, and labels only shared groups', () => {
    const marks = [
      ...decideCountedBallots(
        castBallots('u:lone u:a r:b u:a i:acme r:b u u:a'),
        electorate,
      ).values(),
    ].map(({ counted, notCountedBecause, group }) => [counted, notCountedBecause, group]);
    expect(marks).toEqual([
      [true, null, null],
      [true, null, 'g1'],
      [true, null, 'g2'],
      [false, 'operator_counted', 'g1'],
      [false, 'related_operator', null],
      [false, 'operator_counted', 'g2'],
      [true, null, null],
      [false, 'operator_counted', 'g1'],
    ]);
  });

  it('[ballot.group-once] counts the eligible ballot that was cast first, in any order', () => {
    const [first, second] = castBallots('u:a r:a') as [BallotWithVoter, BallotWithVoter];
    expect(decideCountedBallots([second, first], electorate).get(first.id)?.counted).toBe(true);
    const blocked = { ...first, voter: { ...first.voter, blocked: true } };
    const counted = decideCountedBallots([blocked, second], electorate);
    expect({ first: counted.get(first.id), second: counted.get(second.id) }).toEqual({
      first: { counted: false, notCountedBecause: 'blocked', group: null },
      second: { counted: true, notCountedBecause: null, group: null },
    });
    const atOnce = [second, { ...first, castAt: second.castAt }];
    expect(decideCountedBallots(atOnce, electorate).get(first.id)?.counted).toBe(true);
  });

  it('[ballot.group-once] keeps the names of groups out of the public record', () => {
    const ballots = castBallots('u:a u:a u:acme r').map((ballot) => ({
      ...ballot,
      voterHandle: 'h',
      rationale: 'So.',
      evidenceIds: [],
      sha256: '',
    }));
    const outcome = buildOutcome(ballots, electorate, beforeOpening(-72 * HOUR));
    expect(outcome.ballots.map(({ voterId }) => voterId)).toEqual(['v0', 'v1', 'v2', 'v3']);
    expect(JSON.stringify(outcome)).not.toMatch(/acme|"a"|registeredAt|reviewer"/);
    expect(outcome).toMatchObject({
      result: 'inconclusive',
      votes: { upheld: 1, rejected: 1, insufficientEvidence: 0, notCounted: 2 },
    });
  });
});

it('[case.machine] has the same table in the documentation and in the code', () => {
  const text = readFileSync(new URL('../../../../docs/adjudication.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([^|\n]+) \|[^|\n]*\| `(\w+)`/gm)].map(
    ([, state, trigger, next]) => `${state} ${trigger} ${next}`,
  );
  const verbs = { 'cast a ballot in': 'ballot', close: '72 h pass', supersede: 'round' };
  const expected = Object.entries(roundMachine).flatMap(([state, row]) =>
    Object.entries(row).map(
      ([trigger, next]) => `${state} ${verbs[trigger as keyof typeof verbs]} ${next}`,
    ),
  );
  expect([...new Set(rows)].sort()).toEqual(expected.sort());
});
