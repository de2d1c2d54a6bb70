import { buildIndex, type Step } from './migration.ts';

/**
 * The slots that an agent holds without a submission, and those that a fixture decided, of which
 * there is one a fixture. Whoever took a slot or caught up walked all that the agent ever gave
 * back, which can be thousands.
 */
export const unsubmitted: readonly Step[] = buildIndex(
  'assignments_unsubmitted',
  'assignments (agent_id) WHERE holds_slot AND case_id IS NULL',
);
