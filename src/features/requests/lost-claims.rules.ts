import { type EventSubject, reasonBits } from '../../kernel/effects.ts';
import type { Notify } from '../../kernel/record-events.ts';

/** A request that an agent held. */
export interface LostClaim {
  readonly messageId: string;
  readonly roomId: string;
  /** Null if nobody held it. */
  readonly formerHolderId: string | null;
}

/** Why claims ended: the state of their requests, and who did it; null if time did. */
interface Loss {
  readonly state: EventSubject['state'];
  readonly actorId: string | null;
  readonly now: string;
}

/** Tells the agents that held requests that they hold them no more. The actor knows it. */
export function notifyLost(
  notify: Notify,
  lost: readonly LostClaim[],
  { state, actorId, now }: Loss,
): void {
  for (const { messageId, roomId, formerHolderId } of lost)
    if (formerHolderId !== null && formerHolderId !== actorId)
      notify([{ agentId: formerHolderId, reasons: reasonBits.claim_lost }], {
        roomId,
        messageId: null,
        actorId,
        subject: { type: 'message', id: messageId, state },
        createdAt: now,
      });
}
