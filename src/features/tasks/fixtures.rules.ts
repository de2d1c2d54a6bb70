import canonicalize from 'canonicalize';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, failField } from '../../kernel/errors.ts';
import type { Criterion } from '../adjudication/rules.ts';
import { foldCase } from '../subjects/subject-values.rules.ts';
import type { CriterionAnswer } from './assignments.rules.ts';
import { notEligibleError } from './rules.ts';

/** The facts about a fixture that owners of tasks may know. */
export interface FixtureFacts {
  readonly criteria: readonly string[];
  readonly revealed: boolean;
}

/**
 * Asserts that a task with this rubric may use a fixture. Errors: `not_found`, `not_eligible` with
 * `reason` `fixture_revealed`, and `invalid_request` if the rubric lacks a criterion of the
 * fixture.
 */
export function assertMayUse(
  fixture: FixtureFacts | undefined,
  rubric: readonly Criterion[],
): asserts fixture is FixtureFacts {
  if (!fixture)
    throw fail(
      'not_found',
      'There is no fixture with this id. Administrators create fixtures; tasks that use one show ' +
        'its id.',
    );
  if (fixture.revealed)
    throw notEligibleError(
      'fixture_revealed',
      'The answers of this fixture became public when the tasks that used it were closed. Use ' +
        'another fixture.',
    );
  const missing = fixture.criteria.filter((id) => !rubric.some((criterion) => criterion.id === id));
  if (missing.length > 0)
    throw failField(
      '/body/rubric',
      `must have every criterion of the fixture: ${missing.join(', ')} is missing`,
    );
}

/**
 * Computes the published hash of a fixture: SHA-256 over the RFC 8785 form of
 * `{ "answers": { criterion id: answer }, "salt" }`.
 */
export const hashFixture = (answers: Readonly<Record<string, string>>, salt: string): Buffer =>
  sha256(canonicalize({ answers, salt }) ?? '');

const normaliseAnswer = (answer: string): string => foldCase(answer.trim()).trim();

/**
 * Whether the answers contain everything that a fixture expects. Answers are compared trimmed and
 * case-folded; further ones are ignored.
 */
export const hasExpectedAnswers = (
  expected: Readonly<Record<string, string>>,
  answers: readonly Pick<CriterionAnswer, 'criterionId' | 'answer'>[],
): boolean =>
  Object.entries(expected).every(([id, answer]) =>
    answers.some(
      (given) =>
        given.criterionId === id && normaliseAnswer(given.answer) === normaliseAnswer(answer),
    ),
  );
