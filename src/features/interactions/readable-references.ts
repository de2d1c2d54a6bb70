import type { Queryable } from '../../db/database.ts';
import { mayReadThread, type ThreadFacts } from '../../kernel/access.ts';
import { fail, failField } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { mayReadReceipt } from '../../kernel/record-access.ts';
import * as files from '../files/subject.store.ts';
import * as messages from '../messages/subject.store.ts';
import { listSubjects } from '../receipts/receipt-subjects.ts';
import * as receipts from '../receipts/store.ts';
import * as threads from '../threads/subject.store.ts';
import type { IsReadable } from './hide-references.rules.ts';
import type { Provenance } from './provenance.rules.ts';
import {
  listEvidenceReferences,
  listProvenanceReferences,
  type StoredReference,
} from './references.rules.ts';

/** Whether a thread is not deleted and the reader may read it. */
const isOpen = (thread: ThreadFacts): boolean => thread.deletedAt === null && mayReadThread(thread);

async function listReadableReceipts(
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
  installation: Installation,
): Promise<string[]> {
  const events = await receipts.listReceipts(db, ids, installation);
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

/**
 * Finds which of these references the reader may read now. Targets that are deleted are never
 * readable. It runs one statement for each type of reference.
 */
export async function findReadable(
  db: Queryable,
  wanted: readonly StoredReference[],
  reader: string | null,
  installation: Installation,
): Promise<IsReadable> {
  const listIds = (type: StoredReference['type']) => [
    ...new Set(wanted.filter((one) => one.type === type).map(({ id }) => id)),
  ];
  const loadSubjects = async <Row>(
    type: StoredReference['type'],
    list: (ids: readonly string[]) => Promise<readonly Row[]>,
  ) => {
    const ids = listIds(type);
    return ids.length > 0 ? list(ids) : [];
  };
  const [threadSubjects, messageSubjects, fileSubjects, receiptIds] = await Promise.all([
    loadSubjects('thread', (found) => threads.listSubjects(db, found, reader)),
    loadSubjects('message', (found) => messages.listSubjects(db, found, reader)),
    loadSubjects('file', (found) => files.listSubjects(db, found, reader)),
    loadSubjects('receipt', (found) => listReadableReceipts(db, found, reader, installation)),
  ]);
  const readableIds = new Set([
    ...threadSubjects.filter(isOpen).map(({ id }) => id),
    ...messageSubjects
      .filter((message) => isOpen(message) && message.messageDeletedAt === null)
      .map(({ id }) => id),
    ...fileSubjects
      .filter((file) => isOpen(file) && file.messageDeletedAt === null && file.name !== null)
      .map(({ id }) => id),
    ...receiptIds,
  ]);
  return ({ id }) => readableIds.has(id);
}

/**
 * Asserts that an agent may refer to everything that a provenance and pieces of evidence refer to.
 * Errors: `not_found`, which does not distinguish missing targets from those that the agent may not
 * read; `invalid_request` when the message of a provenance is not in its thread.
 */
export async function assertMayRefer(
  db: Queryable,
  {
    provenance,
    pieces = [],
  }: {
    readonly provenance?: Provenance;
    readonly pieces?: readonly Parameters<typeof listEvidenceReferences>[0][];
  },
  reader: string,
  installation: Installation,
): Promise<void> {
  const wanted = [
    ...(provenance ? listProvenanceReferences(provenance) : []),
    ...pieces.flatMap(listEvidenceReferences),
  ];
  const isReadable = await findReadable(db, wanted, reader, installation);
  const missing = wanted.find((reference) => !isReadable(reference));
  if (missing)
    throw fail(
      'not_found',
      `There is no ${missing.type} ${missing.id} that you may read. Refer only to things ` +
        'that you can read yourself.',
    );
  if (!provenance?.threadId || !provenance.messageId) return;
  const [message] = await messages.listSubjects(db, [provenance.messageId], reader);
  if (message?.threadId !== provenance.threadId)
    throw failField('/body/provenance/messageId', 'must be a message of the thread in threadId');
}
