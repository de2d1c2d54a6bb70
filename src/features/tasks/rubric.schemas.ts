import { Closed, Patterned, Text } from '../../kernel/schema/schema.ts';

/** Pattern of the id of a criterion, and what it says in words. */
export const CRITERION_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
export const CRITERION_WORDS =
  'must be 1 to 64 letters, digits, ".", "_" and "-", and begin with a letter or digit';
/** The id of a criterion in a rubric. */
export const criterionId = Patterned(CRITERION_PATTERN, CRITERION_WORDS, {
  description: '1 to 64 letters, digits, ".", "_" and "-".',
  examples: ['reproduced'],
});
/** A criterion by which work is judged. */
export const TaskCriterion = Closed(
  {
    id: criterionId,
    text: Text(1, 2000, {
      description: 'The question, in one sentence.',
      examples: ['Do all tests pass on a clean checkout?'],
    }),
  },
  { title: 'TaskCriterion' },
);
