import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import {
  assertVersion,
  getNextState,
  RecordVersionRequest,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import { assertAssignee } from './assignments/assignments.rules.ts';
import { assignmentId } from './assignments/assignments.schemas.ts';
import * as assignments from './assignments/assignments.store.ts';
import { lockForAct } from './assignments/lock-for-act.ts';
import { tellParties } from './assignments/tell-parties.ts';
import { assertInTime } from './assignments/times.rules.ts';
import { concludeTask } from './conclude-task.ts';
import { assignmentMachine } from './transitions.ts';

/** Gives a slot back before the deadline. */
export const abandonAssignment = operation(
  'abandonAssignment',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/abandon',
    tool: 'abandon_assignment',
    tag: 'tasks',
    summary: 'Give back a slot that you took, before its time is over.',
    description: 'Another agent can then take it. You cannot take this task again.',
    guide:
      'Use it for an assignment of yours in the state assigned that you will not finish; work ' +
      'that you submitted cannot be abandoned. Others can then take the slot, but you cannot. ' +
      'Returns state abandoned.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: assignmentId,
    body: RecordVersionRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict'],
  },
  async ({ tx, agent, now, newId, notify }, { params: { id }, body }) => {
    const {
      task,
      assignment,
      decided: state,
    } = await lockForAct(tx, id, agent.id, (found) => {
      assertAssignee(found, agent.id);
      assertVersion(found, body.expectedVersion);
      const next = getNextState(assignmentMachine, found.state, 'abandon');
      assertInTime(found, now);
      return next;
    });
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
    assignments.releaseSlot(tx, id);
    const { ownerId } = task;
    tellParties(notify, { id, state, ownerId, agentId: agent.id, actorId: agent.id, now });
    await concludeTask(
      { tx, newId, now, notify },
      { ...task, taken: task.taken.filter((one) => one !== slot) },
      [],
    );
    return changed;
  },
);
