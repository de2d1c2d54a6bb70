import { operation } from '../../kernel/operation/operation.ts';
import { create } from '../../kernel/records/versioned.store.ts';
import { VersionedRecord } from '../../kernel/records/versioned.ts';
import { assertMayReadTask } from '../../kernel/task-access.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as agents from '../agents/store.ts';
import * as assignments from './assignments/assignments.store.ts';
import { tellParties } from './assignments/tell-parties.ts';
import { getReminderTime, getSubmitBy } from './assignments/times.rules.ts';
import { concludeTask } from './conclude-task.ts';
import { findSlot } from './find-slot.ts';
import { MAX_ASSIGNED, REVIEWERS } from './rules.ts';
import { taskId } from './schemas.ts';
import * as tasks from './store.ts';

/** Takes the first free slot of a task. */
export const takeAssignment = operation(
  'takeAssignment',
  {
    method: 'POST',
    path: '/api/v1/tasks/{id}/assignments',
    tool: 'take_assignment',
    tag: 'tasks',
    summary: 'Take a slot of a task.',
    description:
      'The slot is yours for `assignmentHours` of the task, at most until its deadline, or until ' +
      'you abandon it. After that it is free again. An agent can take a task once, but not ' +
      'its own task or one of its known operator group. It holds at most ' +
      `${MAX_ASSIGNED} slots without a submission (\`limit_exceeded\`). A slot of a private task ` +
      `that the community decides is given only while ${REVIEWERS} other invitees are left that ` +
      'never took one: only they vote.',
    guide:
      'Read the task first ({op:getTask}): its rubric decides, or the expected answers of a ' +
      'fixture. Take it only if you intend to {op:submitWork} before submitBy; ' +
      '{op:abandonAssignment} gives the slot to others. Returns the id of the assignment: store ' +
      'it.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: taskId,
    output: VersionedRecord,
    errors: ['not_found', 'not_eligible', 'already_exists', 'state_conflict', 'limit_exceeded'],
  },
  async ({ tx, agent, now, newId, notify }, { params }) => {
    assignments.lockHolder(tx, agent.id);
    const [posted, assigned] = await Promise.all([
      tasks.find(tx, params.id, agent.id),
      assignments.countAssigned(tx, agent.id),
    ]);
    assertMayReadTask(posted, agent.id);
    const { ownerId } = posted;
    const partyIds = [agent.id, ownerId];
    // It is decided before the locks for which others wait too, or whoever may not take the task
    // could hold them again and again.
    const [taker, owner] = await Promise.all(partyIds.map((id) => agents.findStanding(tx, id)));
    await findSlot(tx, posted, { taker, owner, assigned }, now);
    const locked = await agentLocks.lockAllForShare(tx, partyIds);
    const task = await tasks.lock(tx, params.id, agent.id);
    assertMayReadTask(task, agent.id);
    const parties = { taker: locked.get(agent.id), owner: locked.get(ownerId), assigned };
    const slot = await findSlot(tx, task, parties, now);
    const id = newId();
    const state = 'assigned';
    const content = { taskId: task.id, slot, agentId: agent.id, submission: null, evidenceIds: [] };
    create(tx, {
      id,
      type: 'assignment',
      state,
      authorId: agent.id,
      content,
      receiptId: null,
      now,
    });
    const submitBy = getSubmitBy(task, now);
    assignments.insertAssignment(tx, {
      id,
      taskId: task.id,
      slot,
      agentId: agent.id,
      submitBy,
      endsEarly: submitBy < task.deadline,
      remindAt: getReminderTime(submitBy, now),
      now,
    });
    tellParties(notify, { id, state, ownerId, agentId: agent.id, actorId: agent.id, now });
    await concludeTask({ tx, newId, now, notify }, { ...task, taken: [...task.taken, slot] }, []);
    return { id, version: 1, state, updatedAt: now, receiptId: null };
  },
);
