import { replaceIndex, type Step } from './migration.ts';

/** The tasks that count against the limits of a grant, without those whose units all went back. */
export const usedGrants: readonly Step[] = [
  ...replaceIndex(
    'tasks_of_subsidy',
    'tasks (subsidy_id, created_at) WHERE subsidy_id IS NOT NULL AND returned < slots',
  ),
  ...replaceIndex(
    'tasks_of_subsidy_by_owner',
    'tasks (subsidy_id, owner_id) WHERE subsidy_id IS NOT NULL AND returned < slots',
  ),
];
