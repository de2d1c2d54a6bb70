import { FORMAT, type RecordByType } from '../../features/export/schemas.ts';
import { type NumberedRecord, readExportRecords } from '../export-records.ts';
import { ImportError } from '../import-error.ts';
import {
  createPlan,
  type FilePart,
  type ImportFormat,
  type ImportPlan,
  type RequestPart,
  type RoomPlan,
  type Statement,
} from '../import-plan.ts';
import { openBytes } from '../read-lines.ts';

/** Takes the place of a deleted message, because positions have no gaps. */
const PLACEHOLDER = '*(In the place of a message that was deleted.)*';

/** Reads the records of a file. Errors: ImportError with line and reason. */
async function* readRecords(file: string): AsyncGenerator<NumberedRecord> {
  const buildLineError = (line: number, fault: string) =>
    new ImportError(
      `${file}:${line}: ${fault}. An incomplete export is not imported: export the room again.`,
    );
  let read = 0;
  try {
    for await (const record of readExportRecords(await openBytes(file), buildLineError)) {
      read = record.line;
      yield record;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw buildLineError(read + 1, `cannot be read (${(error as Error).message})`);
  }
}

const toFilePart = (
  line: number,
  { name, mediaType, size, sha256, content }: RecordByType<'file'>,
  withContent: boolean,
): FilePart => ({
  line,
  name,
  mediaType,
  size,
  sha256,
  hasContent: content !== null,
  content: withContent ? content : null,
});

const toRoomPlan = ({
  id,
  name,
  description,
  visibility,
  ownerHandle,
}: RecordByType<'room'>): RoomPlan => ({
  room: id,
  originalName: name,
  name,
  description,
  visibility,
  owner: ownerHandle,
  members: new Set(),
  guests: new Set(),
});

/** Creates a builder of the plan from the records of an export. */
function createPlanBuilder() {
  const plan = createPlan(true);
  let room: RoomPlan | undefined;
  let tombstones = 0;
  let claimed = 0;
  let files = 0;
  const addAuthor = (handle: string) => {
    if (!plan.authors.has(handle)) plan.authors.set(handle, { displayName: undefined });
  };

  function addThread(
    line: number,
    { id, roomId, title, kind, tags, visibility, summary, messageCount }: RecordByType<'thread'>,
  ): void {
    for (const messageId of summary?.messageIds ?? []) plan.referencedIds.add(messageId);
    if (summary) addAuthor(summary.authorHandle);
    const summaryPlan = summary && {
      text: summary.text,
      author: summary.authorHandle,
      statements: summary.messageIds,
    };
    plan.threads.set(id, {
      room: roomId,
      originalTitle: title,
      title,
      line,
      kind,
      tags,
      visibility,
      summary: summaryPlan,
      statements: messageCount,
    });
  }

  function addMessage({
    id,
    authorHandle,
    mentions,
    replyToId,
    files: attached,
    deleted,
    request,
  }: RecordByType<'message'>): void {
    plan.statements += 1;
    if (deleted) tombstones += 1;
    for (const handle of [authorHandle, ...mentions]) addAuthor(handle);
    if (!room?.members.has(authorHandle)) room?.guests.add(authorHandle);
    if (replyToId !== null) plan.referencedIds.add(replyToId);
    if (attached.length > 0) plan.referencedIds.add(id);
    if (request?.state === 'claimed') claimed += 1;
    if (request?.answerId) for (const one of [id, request.answerId]) plan.referencedIds.add(one);
  }

  return {
    add({ line, record }: NumberedRecord): void {
      if (record.type === 'room') {
        room = toRoomPlan(record);
        plan.rooms.set(room.room, room);
      } else if (record.type === 'member') {
        room?.members.add(record.handle);
        plan.authors.set(record.handle, { displayName: record.displayName });
      } else if (record.type === 'thread') addThread(line, record);
      else if (record.type === 'message') addMessage(record);
      else {
        files += 1;
        if (record.content !== null) plan.files += 1;
      }
    },
    end(): ImportPlan {
      if (tombstones > 0)
        plan.remarks.push(
          `${tombstones} messages were deleted: each is replaced by a message that says so`,
        );
      if (claimed > 0)
        plan.remarks.push(
          `${claimed} requests were claimed: they are open, because claims are not imported`,
        );
      const missing = files - plan.files;
      if (missing > 0)
        plan.remarks.push(
          `${missing} files are left out, because the export lacks their content: export with ` +
            '?files=true to include it',
        );
      return plan;
    },
  };
}

/** Builds the plan of an export and verifies the export. */
async function buildPlan(file: string): Promise<ImportPlan> {
  const builder = createPlanBuilder();
  for await (const record of readRecords(file)) builder.add(record);
  return builder.end();
}

const toRequestPart = ({ request }: RecordByType<'message'>): RequestPart | null =>
  request && [request.state === 'claimed' ? 'open' : request.state, request.answerId];

/** Reads the messages of an export with their files. */
async function* readStatements(
  file: string,
  { withContent } = { withContent: false },
): AsyncGenerator<Statement> {
  let pending: (Statement & { files: FilePart[] }) | undefined;
  /** The answered requests of the thread, by their answers, which come later in it. */
  const requestsByAnswer = new Map<string, string>();
  for await (const { line, record } of readRecords(file)) {
    if (record.type === 'file') {
      pending?.files.push(toFilePart(line, record, withContent));
      continue;
    }
    if (pending) yield pending;
    pending = undefined;
    if (record.type === 'thread') requestsByAnswer.clear();
    if (record.type !== 'message') continue;
    const request = toRequestPart(record);
    if (request?.[1]) requestsByAnswer.set(request[1], record.id);
    const { id, threadId, authorHandle, body, deleted, replyToId, mentions } = record;
    pending = {
      line,
      thread: threadId,
      author: authorHandle,
      body: deleted ? PLACEHOLDER : body,
      id,
      replyTo: replyToId,
      mentions: deleted ? null : mentions,
      files: [],
      request,
      answers: requestsByAnswer.get(id) ?? null,
    };
  }
  if (pending) yield pending;
}

/** The format of an export of a room, from this or another installation: see docs/export.md. */
export const exportFormat: ImportFormat = {
  matches(line) {
    try {
      const { type, format } = JSON.parse(line) as { type?: unknown; format?: unknown };
      if (type !== 'room' || typeof format !== 'string') return false;
      if (format !== FORMAT)
        throw new ImportError(
          `The file is an export of the format ${format}, and this version reads ${FORMAT}: ` +
            'use a version of Stoa that reads it.',
        );
      return true;
    } catch (error) {
      if (error instanceof ImportError) throw error;
      return false;
    }
  },
  plan: buildPlan,
  statements: readStatements,
};
