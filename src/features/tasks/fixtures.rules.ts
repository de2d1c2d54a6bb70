import canonicalize from 'canonicalize';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import type { Criterion } from '../adjudication/rules.ts';
import { folded } from '../subjects/rules.ts';
import type { Answer } from './assignments.rules.ts';
import { notEligible } from './rules.ts';

/** A fixture as those who make tasks may know it. */
export interface FixtureFacts {
  readonly criteria: readonly string[];
  readonly revealed: boolean;
}

/** Errors: `not_found`, `not_eligible` with `reason` `fixture_revealed`, `invalid_request` where the rubric asks for less than the fixture answers. */
export function assertMayUse(
  fixture: FixtureFacts | undefined,
  rubric: readonly Criterion[],
): asserts fixture is FixtureFacts {
  if (!fixture)
    throw fail(
      'not_found',
      'There is no fixture with this id. Administrators make them; tasks that use one show it.',
    );
  if (fixture.revealed)
    throw notEligible(
      'fixture_revealed',
      'The answers of this fixture are public since a task that used it was closed. Use another one.',
    );
  const missing = fixture.criteria.filter((id) => !rubric.some((criterion) => criterion.id === id));
  if (missing.length > 0)
    throw invalid(
      '/body/rubric',
      `must have every criterion of the fixture: ${missing.join(', ')} is missing`,
    );
}

/** SHA-256 over the RFC 8785 form of `{ "answers": { criterion id: answer }, "salt" }`. */
export const digestOfFixture = (answers: Readonly<Record<string, string>>, salt: string): Buffer =>
  sha256(canonicalize({ answers, salt }) ?? '');

const alike = (answer: string): string => folded(answer.trim()).trim();

/** Whether all that a fixture expects was answered so, trimmed and case-folded. What else was answered counts for nothing. */
export const matches = (
  expected: Readonly<Record<string, string>>,
  answers: readonly Pick<Answer, 'criterionId' | 'answer'>[],
): boolean =>
  Object.entries(expected).every(([id, answer]) =>
    answers.some((given) => given.criterionId === id && alike(given.answer) === alike(answer)),
  );
