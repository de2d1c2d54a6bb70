import type { ContentContext } from '../../kernel/operation/content-operation.ts';
import * as files from '../files/store.ts';
import * as messages from '../messages/store.ts';
import * as rooms from '../rooms/store.ts';
import * as threads from '../threads/store.ts';
import type { RecordOf, RecordType } from './schemas.ts';

type Db = ContentContext['tx'];

/** A record with everything but its type; what serialization does not know of is left out. */
export type Item = {
  readonly [Type in RecordType]: readonly [type: Type, record: Omit<RecordOf<Type>, 'type'>];
}[RecordType];

const NO_ID = '00000000-0000-0000-0000-000000000000';
const MEMBERS = 500;
/** Ids of threads in memory at once: few enough to be nothing, many enough that their index is not read often. */
const THREAD_IDS = 5_000;
/** Threads in memory at once: each may have a summary of 16 KiB. */
const THREADS = 250;

/** Pages of a list, each beginning after the id that the last one ended with. */
async function* pages<Row>(
  list: (after: string) => Promise<Row[]>,
  idOf: (row: Row) => string,
  size: number,
): AsyncGenerator<Row[]> {
  for (let after = NO_ID; ; ) {
    const page = await list(after);
    const last = page.at(-1);
    if (last !== undefined) yield page;
    if (last === undefined || page.length < size) return;
    after = idOf(last);
  }
}

/** What is exported, and for whom. */
export interface Wanted {
  readonly roomId: string;
  readonly reader: string;
  readonly installation: ContentContext['installation'];
}

/** Threads with their messages; each thread goes with its first messages. */
async function* threadItems(
  db: Db,
  { reader, installation }: Wanted,
  ids: readonly string[],
): AsyncGenerator<Item[]> {
  const found = await threads.listReadable(db, ids, reader);
  const waiting = new Map(found.map((thread) => [thread.id, thread]));
  const ranges = found.map(({ id, messageCount }) => ({ threadId: id, from: 0, to: messageCount }));
  const hasFiles = found.some(({ fileCount }) => fileCount > 0);
  for await (const batch of messages.walk(db, ranges, reader)) {
    const items: Item[] = [];
    for (const message of hasFiles ? await files.withFiles(db, batch, installation) : batch) {
      const thread = waiting.get(message.threadId);
      if (thread) items.push(['thread', thread]);
      waiting.delete(message.threadId);
      items.push(['message', message]);
      for (const file of message.files) items.push(['file', { ...file, content: null }]);
    }
    yield items;
  }
}

/** Members, threads and messages of a room in the order of an export, some at a time: only those are in memory. Errors: those of `messages.walk`. */
export async function* itemsOf(db: Db, wanted: Wanted): AsyncGenerator<Item[]> {
  const { roomId } = wanted;
  const members = (after: string) => rooms.membersAfter(db, roomId, after, MEMBERS);
  for await (const page of pages(members, ({ agentId }) => agentId, MEMBERS))
    yield page.map((member): Item => ['member', member]);

  const threadIds = (after: string) => threads.idsAfter(db, roomId, after, THREAD_IDS);
  for await (const page of pages(threadIds, (id) => id, THREAD_IDS)) {
    for (let at = 0; at < page.length; at += THREADS)
      yield* threadItems(db, wanted, page.slice(at, at + THREADS));
  }
}

/** Asks for the next piece while this one is used, and for no more than that one. */
export async function* ahead<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  const ask = () => {
    const asked = pieces.next();
    // Whoever awaits it is told; until then a failure must not end the process.
    asked.catch(() => {});
    return asked;
  };
  try {
    for (let asked = ask(); ; ) {
      const { done, value } = await asked;
      if (done) return;
      asked = ask();
      yield value;
    }
  } finally {
    await pieces.return(undefined);
  }
}
