import { FORMAT, type RecordOf } from '../../features/export/schemas.ts';
import { exportRecords, type Numbered } from '../export-records.ts';
import { ImportError } from '../import-error.ts';
import {
  type FilePart,
  type Format,
  newPlan,
  type Plan,
  type RoomPlan,
  type Statement,
} from '../import-plan.ts';
import { openBytes } from '../read-lines.ts';

/** Keeps the place of a message that was deleted: positions are dense for ever. */
const PLACEHOLDER = '*(In the place of a message that was deleted.)*';

/** Records of a file. Errors: ImportError with line and reason. */
async function* recordsIn(file: string): AsyncGenerator<Numbered> {
  const faultAt = (line: number, fault: string) =>
    new ImportError(
      `${file}:${line}: ${fault}. Nothing is imported of an export that is not whole: get it again.`,
    );
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

const partOf = (
  line: number,
  { name, mediaType, size, sha256, content }: RecordOf<'file'>,
): FilePart => ({ line, name, mediaType, size, sha256, content });

const roomOf = ({
  id,
  name,
  description,
  visibility,
  ownerHandle,
}: RecordOf<'room'>): RoomPlan => ({
  room: id,
  said: name,
  name,
  description,
  visibility,
  owner: ownerHandle,
  members: new Set(),
  guests: new Set(),
});

/** Gathers from the records of an export what is to be made before its messages. */
function createGatherer() {
  const plan = newPlan(true);
  let room: RoomPlan | undefined;
  let tombstones = 0;
  let files = 0;
  const author = (handle: string) => {
    if (!plan.authors.has(handle)) plan.authors.set(handle, { displayName: undefined });
  };

  function thread(
    line: number,
    { id, roomId, title, kind, tags, visibility, summary, messageCount }: RecordOf<'thread'>,
  ): void {
    for (const called of summary?.messageIds ?? []) plan.called.add(called);
    if (summary) author(summary.authorHandle);
    const outcome = summary && {
      text: summary.text,
      author: summary.authorHandle,
      statements: summary.messageIds,
    };
    plan.threads.set(id, {
      room: roomId,
      said: title,
      title,
      line,
      kind,
      tags,
      visibility,
      summary: outcome,
      statements: messageCount,
    });
  }

  function message({
    id,
    authorHandle,
    mentions,
    replyToId,
    files: attached,
    deleted,
  }: RecordOf<'message'>): void {
    plan.statements += 1;
    if (deleted) tombstones += 1;
    for (const handle of [authorHandle, ...mentions]) author(handle);
    if (!room?.members.has(authorHandle)) room?.guests.add(authorHandle);
    if (replyToId !== null) plan.called.add(replyToId);
    if (attached.length > 0) plan.called.add(id);
  }

  return {
    add({ line, record }: Numbered): void {
      if (record.type === 'room') {
        room = roomOf(record);
        plan.rooms.set(room.room, room);
      } else if (record.type === 'member') {
        room?.members.add(record.handle);
        plan.authors.set(record.handle, { displayName: record.displayName });
      } else if (record.type === 'thread') thread(line, record);
      else if (record.type === 'message') message(record);
      else {
        files += 1;
        if (record.content !== null) plan.files += 1;
      }
    },
    end(): Plan {
      if (tombstones > 0)
        plan.remarks.push(
          `${tombstones} messages were deleted: in the place of each stands a message that says so`,
        );
      const missing = files - plan.files;
      if (missing > 0)
        plan.remarks.push(
          `${missing} files are left out, because the export has not their bytes: export with ?files=true to have them`,
        );
      return plan;
    },
  };
}

/** Reads an export once and verifies it. */
async function planOf(file: string): Promise<Plan> {
  const gatherer = createGatherer();
  for await (const record of recordsIn(file)) gatherer.add(record);
  return gatherer.end();
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
        throw new ImportError(
          `The file is an export of the format ${format}, and this version reads ${FORMAT}: use the version of stoa that knows it.`,
        );
      return true;
    } catch (error) {
      if (error instanceof ImportError) throw error;
      return false;
    }
  },
  plan: planOf,
  statements: statementsOf,
};
