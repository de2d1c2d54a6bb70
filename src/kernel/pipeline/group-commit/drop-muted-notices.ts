import type { Queryable } from '../../../db/database.ts';
import type { Notice } from '../../effects.ts';
import { listMutedPairs } from './mutes.store.ts';

/**
 * Leaves out addressees that mute the actor. Events of messages stay as they are: whoever selects
 * the recipients of a message has asked already, in the statement that finds them, because a post
 * has no round trip to spare.
 */
export async function dropMutedNotices(
  tx: Queryable,
  notices: readonly Notice[],
): Promise<readonly Notice[]> {
  const pairs = notices.flatMap(({ addressees, event: { actorId, messageId } }) =>
    messageId === null && actorId !== null
      ? addressees.map(({ agentId }) => ({ agentId, actorId }))
      : [],
  );
  if (pairs.length === 0) return notices;
  const muted = new Set(
    (await listMutedPairs(tx, pairs)).map(({ agentId, actorId }) => `${agentId} ${actorId}`),
  );
  return notices.flatMap((notice) => {
    const { actorId, messageId } = notice.event;
    const addressees = notice.addressees.filter(
      ({ agentId }) => messageId !== null || !muted.has(`${agentId} ${actorId}`),
    );
    return addressees.length > 0 ? [{ ...notice, addressees }] : [];
  });
}
