import type { Transaction } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import type { PortableAct } from '../adjudication/closing.store.ts';
import { close } from '../adjudication/closing.store.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import type { NewId } from '../../kernel/ids.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import { digestOf, nextState, type VersionedRecord } from '../../kernel/records/versioned.ts';
import * as ledger from '../ledger/store.ts';
import type { Assignment } from './assignments.rules.ts';
import * as fixtures from './fixtures.store.ts';
import { type Movement, paying, returning } from './movements.ts';
import { standing, type Task } from './rules.ts';
import * as tasks from './store.ts';
import { type AssignmentTrigger, assignmentMachine, endOf } from './transitions.ts';

/** What a step needs of its context. */
export interface Acting {
  readonly tx: Transaction;
  readonly newId: NewId;
  readonly now: string;
  record(act: PortableAct): string;
}

/** Runs a job's transaction as an act of the service itself: what it records is written with the rest. */
export const acting = <Result>(
  { db, clock, newId, installation }: Pick<Environment, 'db' | 'clock' | 'newId' | 'installation'>,
  work: (acting: Acting) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    const [now, acts] = [iso(clock()), [] as (PortableAct & { readonly id: string })[]];
    const record = (act: PortableAct): string => {
      const id = newId();
      acts.push({ ...act, id });
      return id;
    };
    const result = await work({ tx, newId, now, record });
    if (acts.length > 0)
      close(tx, [{ now, issuer: installation, writes: [], acts, record: null, notices: [] }]);
    return result;
  });

/** A slot whose units go where they stay. */
interface Ending {
  readonly movement: Movement;
  readonly returned: boolean;
}

/** A slot that nobody has, or had to the end. */
export const release = (task: Task, slot: number): Ending => ({
  movement: returning(task, slot),
  returned: true,
});

/**
 * Brings the assignment of a task that is held to its end, or to being undecided, as the service's own act. The version stands under the owner, whose
 * task it is. What its slot comes to is for `conclude`.
 */
export async function end(
  { tx, now, record }: Acting,
  task: Task,
  assignment: Assignment,
  trigger: Exclude<AssignmentTrigger, 'submit' | 'abandon'>,
): Promise<{ readonly changed: VersionedRecord; readonly endings: Ending[] }> {
  const { id, version, content, slot, agentId } = assignment;
  const state = nextState(assignmentMachine, assignment.state, trigger);
  const isDecision = state === 'paid' || state === 'refused';
  const receiptId = isDecision
    ? record({
        ...{
          kind: 'task.settled',
          visibility: task.visibility,
          actorId: null,
          subject: { type: 'task', id: task.id },
        },
        ...{
          contentSha256: digestOf({ version: version + 1, state, content }),
          concerns: [task.ownerId, agentId],
        },
      })
    : null;
  const aside = isDecision ? {} : ({ aside: true } as const);
  const changed = await revise(tx, {
    id,
    expectedVersion: version,
    state,
    authorId: task.ownerId,
    content,
    receiptId,
    now,
    ...aside,
  });
  if (isDecision) tasks.decided(tx, id);
  const ending = endOf[state];
  if (ending === undefined) return { changed, endings: [] };
  return {
    changed,
    endings: [
      ending === 'paid'
        ? { movement: paying(task, slot, agentId), returned: false }
        : release(task, slot),
    ],
  };
}

/** Brings a task that is held to the state that follows, `next` or what its slots say, and its units to where they belong. Accounts are the last that is locked. */
export async function conclude(
  { tx, newId, now }: Acting,
  task: Task,
  endings: readonly Ending[],
  next?: Task['state'],
): Promise<void> {
  const settled = task.settled + endings.length;
  const state = next ?? standing({ ...task, settled });
  tasks.update(tx, {
    id: task.id,
    state,
    settled,
    released: task.released,
    returned: endings.filter(({ returned }) => returned).length,
    now,
  });
  if (state === 'closed' && task.fixtureId !== null) fixtures.reveal(tx, task.fixtureId, now);
  const outcomes = await Promise.all(
    endings.map(({ movement }) => ledger.post(tx, newId, { ...movement, at: now })),
  );
  const wrong = outcomes.findIndex(({ outcome }) => outcome !== 'posted');
  if (wrong >= 0)
    throw new Error(
      `The units of ${endings[wrong]?.movement.reference} are not where they should be: ${outcomes[wrong]?.outcome}.`,
    );
}
