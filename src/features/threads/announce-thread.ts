import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as fanouts from '../events/fanout.store.ts';
import { FANOUTS, type Recipient, selectRecipients } from '../events/rules.ts';
import * as deferredSubscribers from '../messages/deferred-subscribers.store.ts';
import { describeNotified, noDeferred } from '../messages/rules.ts';

/** A new thread and its first message, with whom they are for. */
export interface Announcement {
  readonly id: string;
  readonly messageId: string;
  readonly roomId: string;
  readonly author: { readonly id: string; readonly handle: string };
  /** Whether only members may read it. */
  readonly isPrivate: boolean;
  /** Handles in the first message; none when its text notifies nobody. */
  readonly mentioned: readonly string[];
  /** The agents that the handles may name, and those that follow the room. */
  readonly candidates: readonly Recipient[];
  /** Whether the other followers of the room are notified in the background. */
  readonly isDeferred: boolean;
}

/**
 * Notifies the agents that the first message of a thread mentions and those that follow its room,
 * and returns the part of the response that says so.
 */
export async function announceThread(
  {
    tx,
    now,
    write,
    notify,
    notifyLater,
    wake,
  }: Pick<WriteContext, 'tx' | 'write' | 'notify' | 'notifyLater' | 'wake'> & { now: string },
  thread: Announcement,
) {
  const { id, messageId, roomId, author, isPrivate, mentioned, candidates, isDeferred } = thread;
  const recipients = selectRecipients(candidates, author.id, { private: isPrivate });
  notify(recipients, { roomId, messageId, actorId: author.id, createdAt: now });
  const served = [author.id, ...recipients.map(({ agentId }) => agentId)];
  const deferred = isDeferred
    ? await deferredSubscribers.getDeferredSubscribers(tx, {
        threadId: id,
        roomId,
        toRoom: true,
        authorId: author.id,
        isPrivate,
        served,
      })
    : noDeferred;
  // A fan-out without anybody to notify would delay the events of later messages.
  if (deferred.count > 0) {
    write(fanouts.insertFanout, {
      threadId: id,
      messageId,
      authorId: author.id,
      toRoom: true,
      served,
      now,
    });
    notifyLater(deferred.count);
    wake([FANOUTS]);
  }
  return describeNotified(mentioned, recipients, author.handle, deferred);
}
