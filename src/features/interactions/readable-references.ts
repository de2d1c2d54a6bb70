import type { Queryable } from '../../db/database.ts';
import { mayReadReceipt, mayReadThread, type ThreadFacts } from '../../kernel/access.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import * as files from '../files/subject.store.ts';
import * as messages from '../messages/subject.store.ts';
import * as receipts from '../receipts/store.ts';
import { listSubjects } from '../receipts/receipt-subjects.ts';
import * as threads from '../threads/subject.store.ts';
import {
  type Provenance,
  type Reference,
  referencesOfPiece,
  referencesOfProvenance,
} from './rules.ts';

/** What may be read now of what is referred to. */
export type Readable = (reference: Reference) => boolean;

const isOpen = (thread: ThreadFacts): boolean => thread.deletedAt === null && mayReadThread(thread);

async function listReceipts(
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
  installation: Installation,
): Promise<string[]> {
  const events = await receipts.listEvents(db, ids, installation);
  const subjects = await listSubjects(
    db,
    events.map(({ subject }) => subject),
    reader,
  );
  return events
    .filter(({ visibility, subject }) =>
      mayReadReceipt({ visibility, role: subjects.get(subject.id)?.role ?? null }),
    )
    .map(({ id }) => id);
}

/** Which of these the reader may read at this moment; nothing deleted. One statement for each type that is among them. */
export async function readableOf(
  db: Queryable,
  wanted: readonly Reference[],
  reader: string | null,
  installation: Installation,
): Promise<Readable> {
  const ids = (type: Reference['type']) => [
    ...new Set(wanted.filter((one) => one.type === type).map(({ id }) => id)),
  ];
  const load = async <Row>(
    type: Reference['type'],
    list: (ids: readonly string[]) => Promise<readonly Row[]>,
  ) => (ids(type).length > 0 ? list(ids(type)) : []);
  const [ofThreads, ofMessages, ofFiles, ofReceipts] = await Promise.all([
    load('thread', (found) => threads.listSubjects(db, found, reader)),
    load('message', (found) => messages.listSubjects(db, found, reader)),
    load('file', (found) => files.listSubjects(db, found, reader)),
    load('receipt', (found) => listReceipts(db, found, reader, installation)),
  ]);
  const readable = new Set([
    ...ofThreads.filter(isOpen).map(({ id }) => id),
    ...ofMessages
      .filter((message) => isOpen(message) && message.messageDeletedAt === null)
      .map(({ id }) => id),
    ...ofFiles
      .filter((file) => isOpen(file) && file.messageDeletedAt === null && file.name !== null)
      .map(({ id }) => id),
    ...ofReceipts,
  ]);
  return ({ id }) => readable.has(id);
}

export const shown = (
  type: Reference['type'],
  id: string | null,
  readable: Readable,
): string | null => (id !== null && readable({ type, id }) ? id : null);

/** Evidence as a reader is shown it: references only to what it may read now. */
export const withReference = <Piece extends Parameters<typeof referencesOfPiece>[0]>(
  piece: Piece,
  readable: Readable,
): Piece => ({
  ...piece,
  messageId: shown('message', piece.messageId, readable),
  fileId: shown('file', piece.fileId, readable),
  receiptId: shown('receipt', piece.receiptId, readable),
});

/**
 * Whether this agent may refer to all of these. Errors: `not_found`, the same for what is not there and for what it may not read;
 * `invalid_request` when thread and message of a provenance do not belong together.
 */
export async function assertMayRefer(
  db: Queryable,
  {
    provenance,
    pieces = [],
  }: {
    readonly provenance?: Provenance;
    readonly pieces?: readonly Parameters<typeof referencesOfPiece>[0][];
  },
  reader: string,
  installation: Installation,
): Promise<void> {
  const wanted = [
    ...(provenance ? referencesOfProvenance(provenance) : []),
    ...pieces.flatMap(referencesOfPiece),
  ];
  const readable = await readableOf(db, wanted, reader, installation);
  const missing = wanted.find((reference) => !readable(reference));
  if (missing)
    throw fail(
      'not_found',
      `There is no ${missing.type} ${missing.id} that you may read. Refer only to what you can read yourself.`,
    );
  if (!provenance?.threadId || !provenance.messageId) return;
  const [message] = await messages.listSubjects(db, [provenance.messageId], reader);
  if (message?.threadId !== provenance.threadId)
    throw invalid('/body/provenance/messageId', 'must be a message of the thread in threadId');
}
