import { Closed, Text, Type } from '../../kernel/schema/schema.ts';

/** Pattern of the id of a criterion. */
export const CRITERION_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
/** The id of a criterion in a rubric. */
export const criterionId = Type.String({
  pattern: CRITERION_PATTERN,
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
