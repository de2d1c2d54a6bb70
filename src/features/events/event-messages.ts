import type { Queryable } from '../../db/database.ts';
import type { Installation } from '../../kernel/installation.ts';
import * as files from '../files/store.ts';
import * as readableMessages from '../messages/readable-messages.store.ts';
import type { Event } from './schemas.ts';

function toEventMessage(found: readableMessages.ReadableMessage): Event['message'] {
  const { hasFiles: _, ...message } = found;
  return { ...message, truncated: null };
}

/** The most bytes of a code point in UTF-8. */
const MAX_CODE_POINT_BYTES = 4;

/**
 * Adds to events the messages that the reader may read now, by one statement (and one for files, if
 * there are any). Stops at the first event whose message no page of this budget has room for.
 */
export async function addMessages(
  tx: Queryable,
  events: readonly Event[],
  agentId: string,
  budget: number,
  installation: Installation,
): Promise<Event[]> {
  const ids = events.flatMap(({ messageId }) => messageId ?? []);
  if (ids.length === 0) return [...events];
  const maxBytes = budget * MAX_CODE_POINT_BYTES;
  const found = await readableMessages.listReadable(tx, ids, agentId, maxBytes);
  const withFiles = await files.loadFilesInto(
    tx,
    found.filter(({ hasFiles }) => hasFiles),
    installation,
  );
  const messages = new Map([...found, ...withFiles].map((message) => [message.id, message]));
  const complete: Event[] = [];
  for (const event of events) {
    const message = event.messageId === null ? undefined : messages.get(event.messageId);
    // A message that was deleted since the events were read ends the page too, unless it is the
    // first: the next page leaves its event out.
    if (!message && event.messageId !== null && complete.length > 0) break;
    complete.push(message ? { ...event, message: toEventMessage(message) } : event);
  }
  return complete;
}
