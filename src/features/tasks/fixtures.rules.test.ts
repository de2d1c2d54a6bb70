import { describe, expect, it } from 'vitest';
import { expectError } from '../../../test/features/tasks/build-task.ts';
import { assertMayUse, hasExpectedAnswers, hashFixture } from './fixtures.rules.ts';

describe('a fixture', () => {
  const expected = { tests: ' All 212 pass', street: 'STRASSE' };
  const buildAnswers = (tests: string, street: string) => [
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
    expect(hasExpectedAnswers(expected, buildAnswers(tests, street))).toBe(match);
    expect(
      hasExpectedAnswers(expected, [
        ...buildAnswers(tests, street),
        { criterionId: 'more', answer: 'anything' },
      ]),
    ).toBe(match);
    expect(hasExpectedAnswers(expected, buildAnswers(tests, street).slice(0, 1))).toBe(false);
  });

  it('[fixtures.digest] is hashed with a salt, in the order of ids', () => {
    expect(hashFixture({ b: '2', a: '1' }, 's')).toEqual(hashFixture({ a: '1', b: '2' }, 's'));
    expect(hashFixture({ a: '1' }, 's')).not.toEqual(hashFixture({ a: '1' }, 't'));
  });

  it('[fixtures.use] may be used by rubrics with all of its criteria until it is revealed', () => {
    const rubric = [
      { id: 'tests', text: 'T?' },
      { id: 'street', text: 'S?' },
    ];
    const tryUse =
      (fixture: { criteria: string[]; revealed: boolean } | undefined, asked = rubric) =>
      () =>
        assertMayUse(fixture, asked);
    expect(tryUse({ criteria: ['tests'], revealed: false })).not.toThrow();
    expect(tryUse(undefined)).toThrow(expectError('not_found'));
    expect(tryUse({ criteria: ['tests'], revealed: true })).toThrow(
      expectError('not_eligible', { reason: 'fixture_revealed' }),
    );
    expect(tryUse({ criteria: ['tests', 'other'], revealed: false })).toThrow(
      expectError('invalid_request'),
    );
  });
});
