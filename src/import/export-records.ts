import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type RecordOf, type RecordType, records } from '../features/export/schemas.ts';
import { createOutputCheck } from '../kernel/schema/validate.ts';
import { linesOf, textOf } from './read-lines.ts';

/** A file's bytes are in one line, in base64. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

export type ExportRecord = { [Type in RecordType]: RecordOf<Type> }[RecordType];

/** A record of an export, and the number of its line, from 1. */
export interface Numbered {
  readonly line: number;
  readonly record: Exclude<ExportRecord, { type: 'end' }>;
}

/** Makes the error for a line that is not as it must be. */
export type FaultAt = (line: number, fault: string) => Error;

const checks = Object.fromEntries(
  Object.entries(records).map(([type, schema]) => [type, createOutputCheck(schema)]),
) as Record<RecordType, (record: unknown) => string | undefined>;

/** A line as a record. Errors: a sentence's end. */
function parse(bytes: Buffer | null): ExportRecord | string {
  if (bytes === null) return `has more than ${MAX_LINE_BYTES / 1024 / 1024} MiB`;
  let record: { readonly type?: unknown } | null;
  try {
    record = JSON.parse(textOf(bytes));
  } catch {
    return 'is not JSON: the export is damaged or breaks off here';
  }
  const type = String(record?.type);
  if (!(type in checks)) return 'is no record of an export';
  const fault = checks[type as RecordType](record);
  return fault === undefined
    ? (record as ExportRecord)
    : `is no ${type} as an export has it (${fault})`;
}

/** What may follow what: tells what is wrong with the next record, or undefined. */
function createOrder(): (record: ExportRecord) => string | undefined {
  let withContent = false;
  let before: RecordType | undefined;
  let thread: RecordOf<'thread'> | undefined;
  let next = 0;
  let files: RecordOf<'message'>['files'] = [];

  const faults: {
    readonly [Type in RecordType]: (record: RecordOf<Type>) => string | undefined | false;
  } = {
    room: (room) => {
      withContent = room.withContent;
      return before !== undefined && 'is a second room';
    },
    member: () => before !== 'room' && before !== 'member' && 'is a member in the midst of threads',
    thread: (record) => {
      thread = record;
      next = 0;
      return undefined;
    },
    message: ({ threadId, position, files: attached }) => {
      files = [...attached];
      if (threadId !== thread?.id) return 'is a message of a thread that does not stand before it';
      return position !== next++ && `has position ${position} where ${next - 1} must follow`;
    },
    file: ({ type: _, content, ...row }) => {
      if (!isDeepStrictEqual(files.shift(), row)) return 'is no file of the message before it';
      if ((content !== null) !== withContent)
        return withContent
          ? 'has no content, although the first line promises it'
          : 'has content, which the first line denies';
      if (content === null) return undefined;
      const bytes = Buffer.from(content, 'base64');
      const same =
        bytes.length === row.size &&
        createHash('sha256').update(bytes).digest('hex') === row.sha256;
      return !same && 'has other bytes than its own SHA-256 says';
    },
    end: () => undefined,
  };
  return (record) => {
    if (before === undefined && record.type !== 'room')
      return 'is not the room that an export begins with';
    if (record.type !== 'file' && files.length > 0)
      return 'stands where a file of the message before must follow';
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
 * The records of an export, one at a time, all but the last one; that one is held to what went before. Errors: `faultAt` of the first line that is damaged,
 * out of place or missing.
 */
export async function* exportRecords(
  chunks: AsyncIterable<Uint8Array>,
  faultAt: FaultAt,
): AsyncGenerator<Numbered> {
  const counts = { room: 0, member: 0, thread: 0, message: 0, file: 0 };
  const hash = createHash('sha256');
  const fault = createOrder();
  let bytes = 0;
  let last = 0;
  let ended = false;
  for await (const { line, bytes: text } of linesOf(chunks, MAX_LINE_BYTES)) {
    last = line;
    if (ended) throw faultAt(line, 'stands after the last line of the export');
    const record = parse(text);
    if (typeof record === 'string') throw faultAt(line, record);
    const wrong = fault(record);
    if (wrong !== undefined) throw faultAt(line, wrong);
    if (record.type === 'end') {
      ended = true;
      const found = { lines: line - 1, counts, bytes, sha256: hash.digest('hex') };
      for (const name of ['lines', 'counts', 'bytes', 'sha256'] as const) {
        if (!isDeepStrictEqual(record[name], found[name]))
          throw faultAt(
            line,
            `says ${name} ${JSON.stringify(record[name])}, but before it are ${JSON.stringify(found[name])}: the export was changed or damaged`,
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
    throw faultAt(
      last + 1,
      'is missing: the export breaks off before the line that counts and hashes it',
    );
}
