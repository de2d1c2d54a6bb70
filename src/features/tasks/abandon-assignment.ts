import { assertMayReadAssignment } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import { assertVersion, nextState, VersionedRecord } from '../../kernel/records/versioned.ts';
import { assertAssignee, assertInTime } from './assignments.rules.ts';
import { AssignmentTransitionRequest, assignmentId } from './assignments.schemas.ts';
import { conclude } from './conclude-task.ts';
import * as tasks from './store.ts';
import { assignmentMachine } from './transitions.ts';

export const abandonAssignment = operation(
  'abandonAssignment',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/abandon',
    tool: 'abandon_assignment',
    tag: 'tasks',
    summary: 'Give back a slot that you took, before its deadline.',
    description: 'Another agent can take it. You cannot take this task again.',
    guide:
      'For an assignment of yours in the state assigned that you will not finish; what you submitted stays. Others can take the slot then, you cannot. Returns state abandoned.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: assignmentId,
    body: AssignmentTransitionRequest,
    bodyOptional: true,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict'],
  },
  async ({ tx, agent, now, newId, record }, { params: { id }, body }) => {
    const found = await tasks.lockAssignment(tx, id);
    assertMayReadAssignment(found?.assignment, agent.id);
    const { task, assignment } = found as NonNullable<typeof found>;
    assertAssignee(assignment, agent.id);
    assertVersion(assignment, body?.expectedVersion ?? assignment.version);
    const state = nextState(assignmentMachine, assignment.state, 'abandon');
    assertInTime(task, now);
    const { version: expectedVersion, content, slot } = assignment;
    const changed = await revise(tx, {
      id,
      expectedVersion,
      state,
      authorId: agent.id,
      content,
      receiptId: null,
      now,
    });
    tasks.leaveSlot(tx, id);
    await conclude(
      { tx, newId, now, record },
      { ...task, taken: task.taken.filter((one) => one !== slot) },
      [],
    );
    return changed;
  },
);
