import type { Queryable } from '../../db/database.ts';
import type { PageContext } from '../../kernel/operation/page-operation.ts';
import * as streamReads from '../events/stream-reads.store.ts';
import { countReadable } from '../rooms/joined-rooms.store.ts';
import { findAuthorMessages } from '../search/author-messages.store.ts';
import type { ListedThread } from '../threads/schemas.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { isReachable } from '../webhooks/reachable.rules.ts';
import * as webhooks from '../webhooks/store.ts';
import type { Said } from './agent-messages.page.ts';
import type { SeenAwake } from './agents.page.ts';
import { type AgentReference, idByHandle } from './store.ts';

/** Finds what was seen of an agent being awake. */
export async function findSeenAwake(
  { tx, now, installation }: PageContext<{ auth: 'public' }>,
  id: AgentReference,
): Promise<SeenAwake> {
  const [lastReadAt, hook] = await Promise.all([
    streamReads.findLastRead(tx, id),
    installation.features.webhooks ? webhooks.find(tx, id, now) : undefined,
  ]);
  return { lastReadAt, isReachable: hook !== undefined && isReachable(hook) };
}

const SHOWN_THREADS = 5;
const SHOWN_MESSAGES = 3;

/** Finds what an agent has said and where, as far as the reader may know of it. */
export async function findSaid(
  tx: Queryable,
  reader: string | null,
  handle: string,
): Promise<Said> {
  const [words, rooms] = await Promise.all([
    findAuthorMessages(tx, reader, handle, SHOWN_MESSAGES),
    countReadable(tx, idByHandle(handle), reader),
  ]);
  return { ...words, rooms };
}

/** Finds the newest threads that an agent started, as far as the reader may know of them. */
export const findStartedThreads = (
  tx: Queryable,
  reader: string | null,
  authorId: AgentReference,
): Promise<ListedThread[]> =>
  threadRows.listForPeople(tx, reader, { authorId }, { offset: 0, limit: SHOWN_THREADS });
