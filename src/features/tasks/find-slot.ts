import type { Transaction } from '../../db/database.ts';
import { isReaderOfTaskCase } from '../adjudication/task-case.store.ts';
import type { AgentStanding } from '../agents/schemas.ts';
import * as groups from '../identity/operator-groups.store.ts';
import * as assignments from './assignments/assignments.store.ts';
import { assertMayTryFixture } from './fixtures/try-fixture.ts';
import { isDecidedByInvitees, type Task } from './rules.ts';
import { getSlotFor } from './slots.rules.ts';
import { assertMayWork } from './worker-eligibility.rules.ts';

/** Who takes a slot of whom, and how many slots it holds for which it has submitted nothing. */
interface SlotParties {
  readonly taker: AgentStanding | undefined;
  readonly owner: AgentStanding | undefined;
  readonly assigned: number;
}

/**
 * Finds the slot that an agent gets. Errors: as `assertMayWork`, `getSlotFor` and
 * `assertMayTryFixture`.
 */
export async function findSlot(
  tx: Transaction,
  task: Task,
  { taker, owner, assigned }: SlotParties,
  now: string,
): Promise<number> {
  assertMayWork(taker);
  const [ownAssignment, related, reviews, holders] = await Promise.all([
    assignments.findOwnAssignment(tx, task.id, taker.id),
    groups.listRelated(tx, task.ownerId),
    isReaderOfTaskCase(tx, task.id, taker.id),
    isDecidedByInvitees(task) ? assignments.listHolders(tx, task.id) : [],
  ]);
  const applicant = {
    id: taker.id,
    related: related.includes(taker.id),
    ownerBlocked: owner?.blocked !== false,
    existingId: ownAssignment?.id ?? null,
    reviews,
    assigned,
    takerIds: holders.map(({ agentId }) => agentId),
  };
  const slot = getSlotFor(task, applicant, now);
  if (task.fixtureId !== null) await assertMayTryFixture(tx, task.fixtureId, taker.id);
  return slot;
}
