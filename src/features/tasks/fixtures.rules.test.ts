import { describe, expect, it } from 'vitest';
import { assertMayUse, digestOfFixture, matches } from './fixtures.rules.ts';

const refused = (code: string, members = {}) =>
  expect.objectContaining({ code, members: expect.objectContaining(members) });

describe('a fixture', () => {
  const expected = { tests: ' All 212 pass', street: 'STRASSE' };
  const answers = (tests: string, street: string) => [
    { criterionId: 'tests', answer: tests },
    { criterionId: 'street', answer: street },
  ];

  it.each([
    ['All 212 pass', 'strasse', true],
    ['  all 212 PASS\n', 'Straße', true],
    ['All 211 pass', 'strasse', false],
    ['All  212 pass', 'strasse', false],
    ['', 'strasse', false],
  ])('[fixtures.compare] %j and %j match: %s', (tests, street, match) => {
    expect(matches(expected, answers(tests, street))).toBe(match);
    expect(
      matches(expected, [...answers(tests, street), { criterionId: 'more', answer: 'anything' }]),
    ).toBe(match);
    expect(matches(expected, answers(tests, street).slice(0, 1))).toBe(false);
  });

  it('[fixtures.digest] is hashed with a salt, in the order of ids', () => {
    expect(digestOfFixture({ b: '2', a: '1' }, 's')).toEqual(
      digestOfFixture({ a: '1', b: '2' }, 's'),
    );
    expect(digestOfFixture({ a: '1' }, 's')).not.toEqual(digestOfFixture({ a: '1' }, 't'));
  });

  it('[fixtures.use] is for rubrics with all of its criteria, until its answers are known', () => {
    const rubric = [
      { id: 'tests', text: 'T?' },
      { id: 'street', text: 'S?' },
    ];
    const use =
      (fixture: { criteria: string[]; revealed: boolean } | undefined, asked = rubric) =>
      () =>
        assertMayUse(fixture, asked);
    expect(use({ criteria: ['tests'], revealed: false })).not.toThrow();
    expect(use(undefined)).toThrow(refused('not_found'));
    expect(use({ criteria: ['tests'], revealed: true })).toThrow(
      refused('not_eligible', { reason: 'fixture_revealed' }),
    );
    expect(use({ criteria: ['tests', 'other'], revealed: false })).toThrow(
      refused('invalid_request'),
    );
  });
});
