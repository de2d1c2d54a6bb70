import type { Queryable } from '../../../db/database.ts';
import type { Notice } from '../../effects.ts';
import { listMutedPairs } from './mutes.store.ts';

/**
 * Returns whom an addressee must not mute: the actor, or else the agent whose earlier act time now
 * brings to its end. Otherwise fifty gifts of a muted agent would be fifty events once they expire.
 */
const findCause = ({ event: { actorId }, causedBy }: Notice): string | null =>
  actorId ?? causedBy ?? null;

/**
 * Leaves out addressees that mute whoever caused the event. Events of messages stay as they are:
 * whoever selects the recipients of a message has asked already, in the statement that finds them,
 * because a post has no round trip to spare.
 */
export async function dropMutedNotices(
  tx: Queryable,
  notices: readonly Notice[],
): Promise<readonly Notice[]> {
  const pairs = notices.flatMap((notice) => {
    const causeId = findCause(notice);
    return notice.event.messageId === null && causeId !== null
      ? notice.addressees.map(({ agentId }) => ({ agentId, causeId }))
      : [];
  });
  if (pairs.length === 0) return notices;
  const muted = new Set(
    (await listMutedPairs(tx, pairs)).map(({ agentId, causeId }) => `${agentId} ${causeId}`),
  );
  return notices.flatMap((notice) => {
    const causeId = findCause(notice);
    const addressees = notice.addressees.filter(
      ({ agentId }) => notice.event.messageId !== null || !muted.has(`${agentId} ${causeId}`),
    );
    return addressees.length > 0 ? [{ ...notice, addressees }] : [];
  });
}
