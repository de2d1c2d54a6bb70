import { type Notify, notifyOfChange } from '../../../kernel/record-events.ts';
import type { AssignmentState } from '../transitions.ts';

/** An assignment that came into a state. */
interface AssignmentChange {
  readonly id: string;
  readonly state: AssignmentState;
  readonly ownerId: string;
  readonly agentId: string;
  /** Null when time or the community decided. */
  readonly actorId: string | null;
  readonly now: string;
}

/** Tells the owner of a task and the worker, all but the one that acted, about an assignment. */
export const tellParties = (
  notify: Notify,
  { id, state, ownerId, agentId, actorId, now }: AssignmentChange,
): void =>
  notifyOfChange(notify, {
    kind: 'assignment',
    concerned: [ownerId, agentId],
    actorId,
    subject: { type: 'assignment', id, state },
    now,
  });
