import { abandonAssignment } from './abandon-assignment.ts';
import { addAssignmentEvidence } from './add-assignment-evidence.ts';
import { cancelTask } from './cancel-task.ts';
import { createFixture } from './create-fixture.ts';
import { createTask } from './create-task.ts';
import { getAssignment } from './get-assignment.ts';
import { getTask } from './get-task.ts';
import { listFixtures } from './list-fixtures.ts';
import { listMyAssignments } from './list-my-assignments.ts';
import { listTasks } from './list-tasks.ts';
import { showTask } from './show-task.ts';
import { showTasks } from './show-tasks.ts';
import { submitWork } from './submit-work.ts';
import { takeAssignment } from './take-assignment.ts';
import { withdrawAssignmentEvidence } from './withdraw-assignment-evidence.ts';

/** Operations of the tasks feature. */
export const taskOperations = [
  createTask,
  listTasks,
  getTask,
  cancelTask,
  takeAssignment,
  listMyAssignments,
  getAssignment,
  submitWork,
  addAssignmentEvidence,
  withdrawAssignmentEvidence,
  abandonAssignment,
  createFixture,
  listFixtures,
  showTasks,
  showTask,
] as const;
