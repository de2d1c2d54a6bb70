import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as deletion from '../files/deletion.store.ts';
import * as messages from '../messages/deletion/deletion.store.ts';
import * as requests from '../requests/ending.store.ts';
import * as threads from '../threads/deletion.store.ts';

/**
 * Bytes of the texts of a slice with several messages. A thousand of 64 KiB with rare words have
 * some 500 MB in the search index, and may take more time than a transaction has.
 */
const MAX_SLICE_BYTES = 8 * 1024 * 1024;

/**
 * Removes the next slice of a deleted thread: up to `max` messages with their files and what they
 * asked for, fewer where these are long, and up to `max` subscriptions. Stores where the next slice
 * begins. Each slice has its own transaction, so that the removal continues there after a crash. It
 * locks nothing that readers or posters wait for.
 */
export async function removeThreadContent(
  tx: WriteContext['tx'],
  { threadId, nextPosition, deletedAt }: threads.ThreadRemoval,
  max: number,
): Promise<void> {
  const to = await messages.findSliceEnd(tx, threadId, nextPosition, max, MAX_SLICE_BYTES);
  const [emptied, ended] = await Promise.all([
    messages.markRangeDeleted(tx, threadId, nextPosition, to, deletedAt),
    threads.deleteSubscriptions(tx, threadId, max),
  ]);
  deletion.deleteByMessages(tx, emptied, deletedAt);
  requests.deleteOfMessages(tx, emptied);
  const isLast = emptied.length < to - nextPosition;
  if (isLast && ended < max) threads.deleteRemoval(tx, threadId);
  else threads.upsertRemoval(tx, { threadId, nextPosition: to, deletedAt });
}
