import type { Writing } from '../../kernel/operation/spec.ts';
import * as files from '../files/store.ts';
import * as messages from '../messages/deletion.store.ts';
import * as threads from '../threads/deletion.store.ts';

/**
 * Removes up to `most` messages of a deleted thread, with their files, and as many subscriptions, and notes what remains. Each slice is
 * a transaction, so whatever dies between two of them goes on from there. Nothing here is locked that a reader or a poster waits for.
 */
export async function removeContent(
  tx: Writing['tx'],
  { threadId, nextPosition, deletedAt }: threads.Removal,
  most: number,
): Promise<void> {
  const to = nextPosition + most;
  const [emptied, ended] = await Promise.all([
    messages.emptyRange(tx, threadId, nextPosition, to, deletedAt),
    threads.endSubscriptions(tx, threadId, most),
  ]);
  files.deleteOfMessages(tx, emptied, deletedAt);
  if (emptied.length < most && ended < most) threads.endRemoval(tx, threadId);
  else threads.continueRemoval(tx, { threadId, nextPosition: to, deletedAt });
}
