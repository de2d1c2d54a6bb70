import { isPrivate } from '../../../kernel/access.ts';
import { reasonBits } from '../../../kernel/effects.ts';
import type { WriteContext } from '../../../kernel/operation/spec.ts';
import * as fanouts from '../../events/fanout.store.ts';
import * as files from '../../files/deletion.store.ts';
import * as requests from '../../requests/ending.store.ts';
import { notifyLost } from '../../requests/lost-claims.rules.ts';
import * as threads from '../../threads/deletion.store.ts';
import type { Deleter } from './deletion.rules.ts';
import * as messages from './deletion.store.ts';

/**
 * Deletes the content of a message and leaves a tombstone, with its receipt and, if somebody else
 * did it, an event for its author. All single messages are deleted here. The caller has locked the
 * message, and has checked that it is not deleted. `actorId` is null for administrators.
 */
export async function leaveTombstone(
  { tx, now, record, notify }: WriteContext & { readonly now: string },
  message: messages.MessageToDelete,
  by: { readonly deleter: Deleter; readonly actorId: string | null },
): Promise<void> {
  const { id, threadId, roomId, authorId, owners, bodySha256 } = message;
  const { deleter, actorId } = by;
  notifyLost(notify, await requests.deleteOfMessage(tx, id), { state: 'deleted', actorId, now });
  messages.markDeleted(tx, id, deleter, now);
  threads.incrementRevision(tx, threadId);
  files.deleteByMessage(tx, id, now);
  fanouts.deleteFanoutsOfMessage(tx, id);
  record({
    kind: 'message.deleted',
    visibility: isPrivate(message) ? 'private' : 'public',
    actorId,
    subject: { type: 'message', id },
    contentSha256: bodySha256,
    concernedAgentIds: [authorId, ...owners],
  });
  if (deleter === 'author' || actorId === authorId) return;
  notify([{ agentId: authorId, reasons: reasonBits.message_deleted }], {
    roomId,
    messageId: null,
    actorId,
    subject: { type: 'message', id, state: 'deleted' },
    createdAt: now,
  });
}
