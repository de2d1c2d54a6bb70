import type { ServiceContext } from '../../kernel/pipeline/run-service-transaction.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import {
  computeDigest,
  getNextState,
  type VersionedRecord,
} from '../../kernel/records/versioned.ts';
import * as ledger from '../ledger/store.ts';
import type { Assignment } from './assignments/assignments.rules.ts';
import * as assignments from './assignments/assignments.store.ts';
import { tellParties } from './assignments/tell-parties.ts';
import * as fixtures from './fixtures/fixtures.store.ts';
import { getTaskState, type Task } from './rules.ts';
import { showToReviewers } from './show-to-reviewers.ts';
import * as tasks from './store.ts';
import { buildPayment, buildReturn, type Movement } from './task-movements.ts';
import {
  assignmentMachine,
  settlementByAssignmentState,
  type triggerByResult,
} from './transitions.ts';

/** A slot that is settled now, with the movement of its units. */
interface SlotEnding {
  readonly movement: Movement;
  readonly returned: boolean;
  /** The movement that another decision would have made. */
  readonly other?: Movement;
}

/** Builds the ending of a slot that nobody finished: its units go back. */
export const buildRelease = (task: Task, slot: number): SlotEnding => ({
  movement: buildReturn(task, slot),
  returned: true,
});

/**
 * Changes the assignment of a locked task on behalf of the service: it is decided or undecided.
 * `actorId` is the worker whose submission a fixture decided at once, and null otherwise. The new
 * version names the owner of the task as its author. Callers pass the returned
 * endings to `concludeTask`, which settles the slot.
 */
export async function endAssignment(
  { tx, now, record, notify }: Pick<ServiceContext, 'tx' | 'now' | 'record' | 'notify'>,
  task: Task,
  assignment: Assignment,
  trigger: (typeof triggerByResult)[keyof typeof triggerByResult],
  actorId: string | null,
): Promise<{ readonly changed: VersionedRecord; readonly endings: SlotEnding[] }> {
  const { id, version, content, slot, agentId } = assignment;
  const state = getNextState(assignmentMachine, assignment.state, trigger);
  const isDecision = state === 'paid' || state === 'refused';
  const receiptId = isDecision
    ? record({
        kind: 'task.settled',
        visibility: task.visibility,
        actorId: null,
        subject: { type: 'task', id: task.id },
        contentSha256: computeDigest({ version: version + 1, state, content }),
        concernedAgentIds: [task.ownerId, agentId],
      })
    : null;
  const changed = await revise(tx, {
    id,
    expectedVersion: version,
    state,
    authorId: task.ownerId,
    content,
    receiptId,
    now,
    ...(!isDecision && { keepsReceipt: true }),
  });
  tellParties(notify, { id, state, ownerId: task.ownerId, agentId, actorId, now });
  if (isDecision) assignments.markDecided(tx, id);
  const ending = settlementByAssignmentState[state];
  if (ending === undefined) return { changed, endings: [] };
  const payment = { movement: buildPayment(task, slot, agentId), returned: false };
  const release = buildRelease(task, slot);
  return {
    changed,
    endings: [
      ending === 'paid'
        ? { ...payment, other: release.movement }
        : { ...release, other: payment.movement },
    ],
  };
}

const listAccounts = (movements: readonly Movement[]) =>
  movements.flatMap(({ transfers }) => transfers.flatMap(({ from, to }) => [from, to]));

/**
 * Settles slots of a locked task: brings the task to its next state (`next`, or the one that
 * follows from its slots) and posts the movements of the endings. Accounts are locked last.
 */
export async function concludeTask(
  { tx, newId, now, notify }: Pick<ServiceContext, 'tx' | 'newId' | 'now' | 'notify'>,
  task: Task,
  endings: readonly SlotEnding[],
  next?: Task['state'],
): Promise<void> {
  const settled = task.settled + endings.length;
  const state = next ?? getTaskState({ ...task, settled });
  tasks.update(tx, {
    id: task.id,
    state,
    settled,
    released: task.released,
    returned: endings.filter(({ returned }) => returned).length,
    now,
  });
  await showToReviewers({ tx, now, notify }, task, state);
  const hasEnded = state === 'closed' || state === 'cancelled';
  if (hasEnded && task.fixtureId !== null) fixtures.reveal(tx, task.fixtureId, now);
  // Whoever submits work can have this transaction fail, and try other answers (attack 37.1).
  if (task.fixtureId !== null)
    ledger.lockAccounts(
      tx,
      listAccounts(endings.flatMap(({ movement, other }) => (other ? [movement, other] : []))),
    );
  const outcomes = await Promise.all(
    endings.map(({ movement }) => ledger.post(tx, newId, { ...movement, at: now })),
  );
  const failedIndex = outcomes.findIndex(({ outcome }) => outcome !== 'posted');
  if (failedIndex >= 0)
    throw new Error(
      `The ledger could not post ${endings[failedIndex]?.movement.reference}: ` +
        `${outcomes[failedIndex]?.outcome}.`,
    );
}
