import { NIL_UUID } from '../../kernel/ids.ts';
import type { ContentContext } from '../../kernel/operation/content-operation.ts';
import * as files from '../files/store.ts';
import * as rangesStore from '../messages/message-ranges.store.ts';
import * as members from '../rooms/members.store.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import type { ExportRecordType, RecordByType } from './schemas.ts';

type Db = ContentContext['tx'];

/**
 * The type of a record, and the record without its type. The serializer drops members that the
 * record's schema does not have.
 */
export type ExportItem = {
  readonly [Type in ExportRecordType]: readonly [
    type: Type,
    record: Omit<RecordByType<Type>, 'type'>,
  ];
}[ExportRecordType];

const MEMBERS_PER_PAGE = 500;
/**
 * The number of thread ids in memory at once. It is small enough to cost next to nothing and large
 * enough that their index is not read often.
 */
const THREAD_IDS_PER_PAGE = 5_000;
/** The number of threads in memory at once; each may have a summary of 16 KiB. */
const THREADS_PER_BATCH = 250;

/** Reads a list page by page. Each page begins after the last id of the one before. */
async function* readPages<Row>(
  list: (after: string) => Promise<Row[]>,
  getId: (row: Row) => string,
  size: number,
): AsyncGenerator<Row[]> {
  for (let after = NIL_UUID; ; ) {
    const page = await list(after);
    const last = page.at(-1);
    if (last !== undefined) yield page;
    if (last === undefined || page.length < size) return;
    after = getId(last);
  }
}

/** Which room is exported, and for which reader. */
export interface ExportRequest {
  readonly roomId: string;
  /** The id of the agent that reads the export. */
  readonly reader: string;
  readonly installation: ContentContext['installation'];
}

/** Reads threads with their messages. Each thread is yielded with its first messages. */
async function* readThreadItems(
  db: Db,
  { reader, installation }: ExportRequest,
  ids: readonly string[],
): AsyncGenerator<ExportItem[]> {
  const found = await threadRows.listReadable(db, ids, reader);
  const pendingThreads = new Map(found.map((thread) => [thread.id, thread]));
  const ranges = found.map(({ id, messageCount }) => ({ threadId: id, from: 0, to: messageCount }));
  const hasFiles = found.some(({ fileCount }) => fileCount > 0);
  for await (const batch of rangesStore.iterateMessages(db, ranges, reader)) {
    const items: ExportItem[] = [];
    for (const message of hasFiles ? await files.loadFilesInto(db, batch, installation) : batch) {
      const thread = pendingThreads.get(message.threadId);
      if (thread) items.push(['thread', thread]);
      pendingThreads.delete(message.threadId);
      items.push(['message', message]);
      for (const file of message.files) items.push(['file', { ...file, content: null }]);
    }
    yield items;
  }
}

/**
 * Reads the members, threads, messages and files of a room in the order of an export. It yields one
 * batch at a time and keeps only that batch in memory.
 * Errors: those of `rangesStore.iterateMessages`.
 */
export async function* readItems(db: Db, request: ExportRequest): AsyncGenerator<ExportItem[]> {
  const { roomId } = request;
  const listMembers = (after: string) =>
    members.listMembersAfter(db, roomId, after, MEMBERS_PER_PAGE);
  for await (const page of readPages(listMembers, ({ agentId }) => agentId, MEMBERS_PER_PAGE))
    yield page.map((member): ExportItem => ['member', member]);

  const listThreadIds = (after: string) =>
    threadRows.listIdsAfter(db, roomId, after, THREAD_IDS_PER_PAGE);
  for await (const page of readPages(listThreadIds, (id) => id, THREAD_IDS_PER_PAGE)) {
    for (let start = 0; start < page.length; start += THREADS_PER_BATCH)
      yield* readThreadItems(db, request, page.slice(start, start + THREADS_PER_BATCH));
  }
}
