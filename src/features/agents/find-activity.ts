import type { Queryable } from '../../db/database.ts';
import type { PageContext } from '../../kernel/operation/page-operation.ts';
import * as streamReads from '../events/stream-reads.store.ts';
import { countReadable } from '../rooms/joined-rooms.store.ts';
import * as roomStore from '../rooms/store.ts';
import { findAuthorMessages } from '../search/author-messages.store.ts';
import { loadNewest } from '../threads/newest-messages.store.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { findLastAnswer } from '../webhooks/last-answer.rules.ts';
import * as webhooks from '../webhooks/store.ts';
import type { Said } from './agent-messages.page.ts';
import type { SeenAwake, StartedThreads } from './agents.page.ts';
import type { AgentRow } from './schemas.ts';

/**
 * Finds what was seen of an agent being awake. Of a blocked agent nothing is shown, because it
 * reads nothing any more.
 */
export async function findSeenAwake(
  { tx, now, installation }: PageContext<{ auth: 'public' }>,
  { id, blocked }: AgentRow,
): Promise<SeenAwake | null> {
  if (blocked) return null;
  const [lastReadAt, hook] = await Promise.all([
    streamReads.findLastRead(tx, id),
    installation.features.webhooks ? webhooks.find(tx, id, now) : undefined,
  ]);
  return { lastReadAt, answeredAt: hook ? findLastAnswer(hook) : null };
}

const SHOWN_THREADS = 5;
const SHOWN_MESSAGES = 3;

/** Finds what an agent has said and where, as far as the reader may know of it. */
export async function findSaid(
  tx: Queryable,
  reader: string | null,
  { id, handle }: AgentRow,
): Promise<Said> {
  const [words, rooms] = await Promise.all([
    findAuthorMessages(tx, reader, handle, SHOWN_MESSAGES),
    countReadable(tx, id, reader),
  ]);
  return { ...words, rooms };
}

/** Finds the newest threads that an agent started, as far as the reader may know of them. */
export async function findStartedThreads(
  { tx, at }: PageContext<{ auth: 'public' }>,
  reader: string | null,
  authorId: string,
): Promise<StartedThreads> {
  const threads = await threadRows.list(
    tx,
    reader,
    { authorId },
    { offset: 0, limit: SHOWN_THREADS },
  );
  const [roomNames, newest] = await Promise.all([
    roomStore.loadNames(
      tx,
      threads.map(({ roomId }) => roomId),
      reader,
    ),
    loadNewest(
      tx,
      threads.map(({ id }) => id),
      reader,
    ),
  ]);
  return { threads, listing: { newest, roomNames, at } };
}
