import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parseAnswer } from '../../client/src/parse-answer.ts';
import {
  type ExportRecordType,
  type RecordByType,
  recordSchemas,
} from '../features/export/schemas.ts';
import { createOutputCheck } from '../kernel/schema/validate.ts';
import { decodeText, splitLines } from './read-lines.ts';

/** A line may contain a whole file in base64. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** No installation lets a message have more. */
const MAX_FILES = 10;

/** A record of an export, of any type. */
export type ExportRecord = { [Type in ExportRecordType]: RecordByType<Type> }[ExportRecordType];

/** A record of an export, except the last one, and the number of its line, from 1. */
export interface NumberedRecord {
  readonly line: number;
  readonly record: Exclude<ExportRecord, { type: 'end' }>;
}

/** Builds the error for an invalid line. */
export type BuildLineError = (line: number, fault: string) => Error;

const recordChecks = Object.fromEntries(
  Object.entries(recordSchemas).map(([type, schema]) => [type, createOutputCheck(schema)]),
) as Record<ExportRecordType, (record: unknown) => string | undefined>;

/** Parses a line. Returns the end of a sentence, such as "is not JSON", for an invalid one. */
function parseRecord(bytes: Buffer | null): ExportRecord | string {
  if (bytes === null) return `has more than ${MAX_LINE_BYTES / 1024 / 1024} MiB`;
  let record: { readonly type?: unknown } | null;
  try {
    record = parseAnswer(decodeText(bytes)) as typeof record;
  } catch {
    return 'is not JSON: the export is damaged or truncated here';
  }
  const type = String(record?.type);
  // Exports from before there were requests lack the member.
  if (type === 'message') record = Object.assign({ request: null }, record);
  // A record may call itself `constructor`, which every object has.
  if (!Object.hasOwn(recordChecks, type)) return 'is not a record of an export';
  const fault = recordChecks[type as ExportRecordType](record);
  return fault === undefined
    ? (record as ExportRecord)
    : `is not a valid ${type} record (${fault})`;
}

/** Creates a check of the records' order. It returns what is wrong with the next record. */
function createOrderCheck(): (record: ExportRecord) => string | undefined {
  let withContent = false;
  let before: ExportRecordType | undefined;
  let thread: RecordByType<'thread'> | undefined;
  let next = 0;
  let files: RecordByType<'message'>['files'] = [];

  const faults: {
    readonly [Type in ExportRecordType]: (record: RecordByType<Type>) => string | undefined | false;
  } = {
    room: (room) => {
      withContent = room.withContent;
      return before !== undefined && 'is a second room';
    },
    member: () => before !== 'room' && before !== 'member' && 'is a member after the first thread',
    thread: (record) => {
      thread = record;
      next = 0;
      return undefined;
    },
    message: ({ threadId, position, files: attached }) => {
      files = [...attached];
      if (files.length > MAX_FILES) return `has more than ${MAX_FILES} files`;
      if (threadId !== thread?.id) return 'is a message of another thread than the one before it';
      return position !== next++ && `has position ${position} instead of ${next - 1}`;
    },
    file: ({ type: _, content, ...row }) => {
      if (!isDeepStrictEqual(files.shift(), row)) return 'is not a file of the message before it';
      if ((content !== null) !== withContent)
        return withContent
          ? 'has no content, although the first line announces it'
          : 'has content, although the first line announces none';
      if (content === null) return undefined;
      const bytes = Buffer.from(content, 'base64');
      const same =
        bytes.length === row.size &&
        createHash('sha256').update(bytes).digest('hex') === row.sha256;
      return !same && 'has content that does not match its size and SHA-256';
    },
    end: () => undefined,
  };
  return (record) => {
    if (before === undefined && record.type !== 'room')
      return 'is not the room record that an export begins with';
    if (record.type !== 'file' && files.length > 0)
      return 'comes before the files of the message before it';
    if (
      (record.type === 'thread' || record.type === 'end') &&
      thread &&
      next !== thread.messageCount
    )
      return `ends a thread after ${next} of ${thread.messageCount} messages`;
    const fault = faults[record.type](record as never);
    before = record.type;
    return fault || undefined;
  };
}

/**
 * Reads the records of an export one at a time, except the last one, which is checked against the
 * others.
 * Errors: the error of `buildLineError` for the first line that is damaged, misplaced or missing.
 */
export async function* readExportRecords(
  chunks: AsyncIterable<Uint8Array>,
  buildLineError: BuildLineError,
): AsyncGenerator<NumberedRecord> {
  const counts = { room: 0, member: 0, thread: 0, message: 0, file: 0 };
  const hash = createHash('sha256');
  const findOrderFault = createOrderCheck();
  let bytes = 0;
  let last = 0;
  let ended = false;
  for await (const { line, bytes: text } of splitLines(chunks, MAX_LINE_BYTES)) {
    last = line;
    if (ended) throw buildLineError(line, 'comes after the last line of the export');
    const record = parseRecord(text);
    if (typeof record === 'string') throw buildLineError(line, record);
    const fault = findOrderFault(record);
    if (fault !== undefined) throw buildLineError(line, fault);
    if (record.type === 'end') {
      ended = true;
      const found = { lines: line - 1, counts, bytes, sha256: hash.digest('hex') };
      for (const name of ['lines', 'counts', 'bytes', 'sha256'] as const) {
        if (!isDeepStrictEqual(record[name], found[name]))
          throw buildLineError(
            line,
            `says ${name} ${JSON.stringify(record[name])}, but the lines before it have ` +
              `${JSON.stringify(found[name])}: the export was changed or damaged`,
          );
      }
      continue;
    }
    counts[record.type] += 1;
    hash.update(text as Buffer).update('\n');
    bytes += (text as Buffer).length + 1;
    yield { line, record };
  }
  if (!ended)
    throw buildLineError(
      last + 1,
      'is missing: the export is truncated before its last line, which counts and hashes it',
    );
}
