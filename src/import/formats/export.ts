import { FORMAT, type RecordOf } from '../../features/export/schemas.ts';
import { exportRecords, type Numbered } from '../export-records.ts';
import { ImportError } from '../import-error.ts';
import type { FilePart, Format, Plan, RoomPlan, Statement } from '../plan.ts';
import { openBytes } from '../read-lines.ts';

/** Keeps the place of a message that was deleted: positions are dense for ever. */
const PLACEHOLDER = '*(In the place of a message that was deleted.)*';

/** Records of a file. Errors: ImportError with line and reason. */
async function* recordsIn(file: string): AsyncGenerator<Numbered> {
  const faultAt = (line: number, fault: string) =>
    new ImportError(`${file}:${line}: ${fault}. Nothing is imported of an export that is not whole: get it again.`);
  let read = 0;
  try {
    for await (const record of exportRecords(await openBytes(file), faultAt)) {
      read = record.line;
      yield record;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw faultAt(read + 1, `cannot be read (${(error as Error).message})`);
  }
}

const partOf = (line: number, { name, mediaType, size, sha256, content }: RecordOf<'file'>): FilePart => ({ line, name, mediaType, size, sha256, content });

const roomOf = ({ id, name, description, visibility, ownerHandle }: RecordOf<'room'>): RoomPlan => ({
  room: id,
  said: name,
  name,
  description,
  visibility,
  owner: ownerHandle,
  members: new Set(),
  guests: new Set(),
});

/** What an export leaves open, as sentences. */
function remarksOf(tombstones: number, files: number, { withContent }: RecordOf<'room'>): string[] {
  const remarks: string[] = [];
  if (tombstones > 0) remarks.push(`${tombstones} messages were deleted: in the place of each stands a message that says so`);
  if (files > 0 && !withContent) remarks.push(`${files} files are left out, because the export has not their bytes: export with ?files=true to have them`);
  return remarks;
}

/** Reads an export once, verifies it, and gathers what is to be made before its messages. */
async function planOf(file: string): Promise<Plan> {
  const plan: Plan & { remarks: string[] } = {
    statements: 0,
    files: 0,
    authors: new Map(),
    rooms: new Map(),
    threads: new Map(),
    called: new Set(),
    whole: true,
    remarks: [],
  };
  const author = (handle: string) => void (plan.authors.has(handle) || plan.authors.set(handle, { displayName: undefined }));
  let head: RecordOf<'room'> | undefined;
  let room: RoomPlan | undefined;
  let tombstones = 0;
  let files = 0;
  for await (const { line, record } of recordsIn(file)) {
    if (record.type === 'room') {
      head = record;
      room = roomOf(record);
      plan.rooms.set(record.id, room);
    } else if (record.type === 'member') {
      room?.members.add(record.handle);
      plan.authors.set(record.handle, { displayName: record.displayName });
    } else if (record.type === 'thread') {
      const { id, roomId, title, kind, tags, visibility, summary, messageCount } = record;
      for (const called of summary?.messageIds ?? []) plan.called.add(called);
      if (summary) author(summary.authorHandle);
      const outcome = summary && { text: summary.text, author: summary.authorHandle, statements: summary.messageIds };
      plan.threads.set(id, { room: roomId, said: title, title, line, kind, tags, visibility, summary: outcome, statements: messageCount });
    } else if (record.type === 'message') {
      plan.statements += 1;
      if (record.deleted) tombstones += 1;
      for (const handle of [record.authorHandle, ...record.mentions]) author(handle);
      if (!room?.members.has(record.authorHandle)) room?.guests.add(record.authorHandle);
      if (record.replyToId !== null) plan.called.add(record.replyToId);
      if (record.files.length > 0) plan.called.add(record.id);
    } else {
      files += 1;
      if (record.content !== null) plan.files += 1;
    }
  }
  plan.remarks.push(...remarksOf(tombstones, files, head as RecordOf<'room'>));
  return plan;
}

async function* statementsOf(file: string): AsyncGenerator<Statement> {
  let held: (Statement & { files: FilePart[] }) | undefined;
  for await (const { line, record } of recordsIn(file)) {
    if (record.type === 'file') {
      held?.files.push(partOf(line, record));
      continue;
    }
    if (held) yield held;
    held = undefined;
    if (record.type !== 'message') continue;
    const { id, threadId, authorHandle, body, deleted, replyToId, mentions } = record;
    held = {
      line,
      thread: threadId,
      author: authorHandle,
      body: deleted ? PLACEHOLDER : body,
      id,
      replyTo: replyToId,
      mentions: deleted ? null : mentions,
      files: [],
    };
  }
  if (held) yield held;
}

/** An export of a room of this or another installation: see docs/export.md. */
export const exported: Format = {
  begins(line) {
    try {
      const { type, format } = JSON.parse(line) as { type?: unknown; format?: unknown };
      if (type !== 'room' || typeof format !== 'string') return false;
      if (format !== FORMAT)
        throw new ImportError(`The file is an export of the format ${format}, and this version reads ${FORMAT}: use the version of stoa that knows it.`);
      return true;
    } catch (error) {
      if (error instanceof ImportError) throw error;
      return false;
    }
  },
  plan: planOf,
  statements: statementsOf,
};
