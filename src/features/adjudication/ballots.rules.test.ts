import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Cast,
  count,
  type Electorate,
  type Fault,
  faultOf,
  outcomeOf,
  resultOf,
  tally,
  type Verdict,
  type Voter,
} from './ballots.rules.ts';
import { machine } from './transitions.ts';

const OPENS = '2026-03-01T12:00:00.000Z';
const HOUR = 3600 * 1000;
const earlier = (milliseconds: number) => new Date(Date.parse(OPENS) - milliseconds).toISOString();

const voter = (id: string, more: Partial<Voter> = {}): Voter => ({
  ...{
    id,
    registeredAt: earlier(24 * HOUR),
    blocked: false,
    synthetic: false,
    reviewer: true,
    group: null,
  },
  ...more,
});
const electorate: Electorate = {
  opensAt: OPENS,
  parties: ['author', 'target', 'opener'],
  partyGroups: ['acme'],
};

const verdictOf: Readonly<Record<string, Verdict>> = {
  u: 'upheld',
  r: 'rejected',
  i: 'insufficient_evidence',
};

/** "u:g u r:h": a ballot a word, with the group of its voter, in the order in which they were cast. */
const cast = (text: string): Cast[] =>
  text.split(' ').map((word, index) => {
    const [verdict = '', group = null] = word.split(':');
    return {
      id: `b${index}`,
      castAt: earlier(-index - 1),
      verdict: verdictOf[verdict] as Verdict,
      voter: voter(`v${index}`, { group }),
    };
  });

describe('who may vote', () => {
  const table: readonly (readonly [who: string, voter: Voter, fault: Fault | null])[] = [
    ['anyone else', voter('x'), null],
    [
      'registered 24 hours before, to the millisecond',
      voter('x', { registeredAt: earlier(24 * HOUR) }),
      null,
    ],
    [
      'registered a millisecond too late',
      voter('x', { registeredAt: earlier(24 * HOUR - 1) }),
      'registered_too_late',
    ],
    [
      'registered after the opening',
      voter('x', { registeredAt: earlier(-1) }),
      'registered_too_late',
    ],
    ['the author', voter('author'), 'party'],
    ['the target', voter('target'), 'party'],
    ['the opener', voter('opener'), 'party'],
    ['of the known operator of a party', voter('x', { group: 'acme' }), 'related_operator'],
    ['of another known operator', voter('x', { group: 'other' }), null],
    ['blocked', voter('x', { blocked: true }), 'blocked'],
    ['synthetic', voter('x', { synthetic: true }), 'synthetic'],
    ['not active in reviewer', voter('x', { reviewer: false }), 'reviewer_inactive'],
    [
      'several of these: the first counts',
      voter('author', { blocked: true, synthetic: true, group: 'acme' }),
      'blocked',
    ],
  ];

  it.for(table)('[ballot.eligible] %s', ([, one, fault]) =>
    expect(faultOf(one, electorate)).toBe(fault),
  );
});

describe('the result', () => {
  const table: readonly (readonly [ballots: string, result: string, why: string])[] = [
    ['u u u', 'upheld', 'three of three'],
    ['r r r', 'rejected', 'three of three'],
    ['u u', 'inconclusive', 'no quorum'],
    ['u u r', 'upheld', 'two of three are a strict majority'],
    ['r u r', 'rejected', 'the same the other way'],
    ['u u r r', 'inconclusive', 'a tie'],
    ['u u i', 'inconclusive', 'insufficient evidence is not decisive'],
    ['i i i i', 'inconclusive', 'nothing decisive at all'],
    ['u u u i i i i i', 'upheld', 'nor does it count against'],
    ['u:a u:a u:a', 'inconclusive', 'one operator is one vote'],
    ['u:a u:b u:c', 'upheld', 'three operators are three'],
    ['u u r:a r:a r:a r:a', 'upheld', 'many of one operator outvote nobody'],
    ['r:a u:a u u', 'upheld', 'the earliest of a group counts, here against'],
    ['i:a u:a u u', 'inconclusive', 'also where it is not decisive'],
    ['u:acme u:acme u u r r', 'inconclusive', 'those of a party do not count'],
    ['u u u r r r r', 'rejected', 'four of seven'],
  ];

  it.for(table)('[round.result] [ballot.group-once] %s: %s, %s', ([ballots, result]) => {
    const counted = count(cast(ballots), electorate);
    const votes = tally(
      cast(ballots).map(({ id, verdict }) => ({
        verdict,
        counted: counted.get(id)?.counted === true,
      })),
    );
    expect(resultOf(votes)).toBe(result);
    expect(votes.upheld + votes.rejected + votes.insufficientEvidence + votes.notCounted).toBe(
      ballots.split(' ').length,
    );
  });

  it('[round.result] for any number of votes: a quorum of three and a strict majority', () => {
    for (let upheld = 0; upheld < 8; upheld++)
      for (let rejected = 0; rejected < 8; rejected++) {
        const decided =
          upheld + rejected >= 3 && 2 * Math.max(upheld, rejected) > upheld + rejected;
        expect(resultOf({ upheld, rejected })).toBe(
          decided ? (upheld > rejected ? 'upheld' : 'rejected') : 'inconclusive',
        );
      }
  });

  it('[ballot.group-once] marks what was not counted and why, and tells of groups only what the result rests on', () => {
    const marks = [...count(cast('u:lone u:a r:b u:a i:acme r:b u u:a'), electorate).values()].map(
      ({ counted, notCountedBecause, group }) => [counted, notCountedBecause, group],
    );
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

  it('[ballot.group-once] the earliest is that which was cast first, however they are handed over, and one that may count', () => {
    const ballots = cast('u:a r:a');
    const [first, second] = ballots as [Cast, Cast];
    expect(count([second, first], electorate).get(first.id)?.counted).toBe(true);
    const blocked = { ...first, voter: { ...first.voter, blocked: true } };
    const counted = count([blocked, second], electorate);
    expect([counted.get(first.id), counted.get(second.id)]).toEqual([
      { counted: false, notCountedBecause: 'blocked', group: null },
      { counted: true, notCountedBecause: null, group: null },
    ]);
    const atOnce = [second, { ...first, castAt: second.castAt }];
    expect(count(atOnce, electorate).get(first.id)?.counted).toBe(true);
  });

  it('[ballot.group-once] no name of a group is in what becomes public', () => {
    const ballots = cast('u:a u:a u:acme r').map((ballot) => ({
      ...ballot,
      voterHandle: 'h',
      rationale: 'So.',
      evidenceIds: [],
      sha256: '',
    }));
    const outcome = outcomeOf(ballots, electorate, earlier(-72 * HOUR));
    expect(outcome.ballots.map(({ voterId }) => voterId)).toEqual(['v0', 'v1', 'v2', 'v3']);
    expect(JSON.stringify(outcome)).not.toMatch(/acme|"a"|registeredAt|reviewer"/);
    expect(outcome).toMatchObject({
      result: 'inconclusive',
      votes: { upheld: 1, rejected: 1, insufficientEvidence: 0, notCounted: 2 },
    });
  });
});

it('[case.machine] the table in the documentation is the one in the code', () => {
  const text = readFileSync(new URL('../../../docs/adjudication.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([^|\n]+) \|[^|\n]*\| `(\w+)`/gm)].map(
    ([, state, trigger, next]) => `${state} ${trigger} ${next}`,
  );
  const verbs = { 'cast a ballot in': 'ballot', close: '72 h pass', supersede: 'round' };
  const expected = Object.entries(machine).flatMap(([state, row]) =>
    Object.entries(row).map(
      ([trigger, next]) => `${state} ${verbs[trigger as keyof typeof verbs]} ${next}`,
    ),
  );
  expect([...new Set(rows)].sort()).toEqual(expected.sort());
});
