import { operation } from '../../kernel/operation/operation.ts';
import { create } from '../../kernel/records/versioned.store.ts';
import { VersionedRecord } from '../../kernel/records/versioned.ts';
import { assertMayReadTask } from '../../kernel/task-access.ts';
import { isReaderOfTaskCase } from '../adjudication/task-case.store.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as groups from '../identity/operator-groups.store.ts';
import * as assignments from './assignments/assignments.store.ts';
import { tellParties } from './assignments/tell-parties.ts';
import { getReminderTime, getSubmitBy } from './assignments/times.rules.ts';
import { concludeTask } from './conclude-task.ts';
import { assertMayTryFixture } from './fixtures/try-fixture.ts';
import { isDecidedByInvitees, MAX_ASSIGNED, REVIEWERS } from './rules.ts';
import { taskId } from './schemas.ts';
import { getSlotFor } from './slots.rules.ts';
import * as tasks from './store.ts';
import { assertMayWork } from './worker-eligibility.rules.ts';

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
    const posted = await tasks.findOwner(tx, params.id, agent.id);
    assignments.lockHolder(tx, agent.id);
    // The slots are counted before the locks for which others wait.
    const [assigned, locked] = await Promise.all([
      assignments.countAssigned(tx, agent.id),
      agentLocks.lockAllForShare(tx, [agent.id, posted?.ownerId ?? agent.id]),
    ]);
    assertMayWork(locked.get(agent.id));
    const task = await tasks.lock(tx, params.id, agent.id);
    assertMayReadTask(task, agent.id);
    const [ownAssignment, related, reviews, holders] = await Promise.all([
      assignments.findOwnAssignment(tx, task.id, agent.id),
      groups.listRelated(tx, task.ownerId),
      isReaderOfTaskCase(tx, task.id, agent.id),
      isDecidedByInvitees(task) ? assignments.listHolders(tx, task.id) : [],
    ]);
    const slot = getSlotFor(
      task,
      {
        id: agent.id,
        related: related.includes(agent.id),
        ownerBlocked: locked.get(task.ownerId)?.blocked !== false,
        existingId: ownAssignment?.id ?? null,
        reviews,
        assigned,
        takerIds: holders.map(({ agentId }) => agentId),
      },
      now,
    );
    if (task.fixtureId !== null) await assertMayTryFixture(tx, task.fixtureId, agent.id);
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
    const { ownerId: owner } = task;
    tellParties(notify, { id, state, ownerId: owner, agentId: agent.id, actorId: agent.id, now });
    await concludeTask({ tx, newId, now, notify }, { ...task, taken: [...task.taken, slot] }, []);
    return { id, version: 1, state, updatedAt: now, receiptId: null };
  },
);
