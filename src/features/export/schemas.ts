import {
  Closed,
  Int64,
  nullable,
  Sha256,
  type Static,
  Time,
  Type,
} from '../../kernel/schema/schema.ts';
import { FileRow } from '../files/schemas.ts';
import { Message } from '../messages/schemas.ts';
import { Member, RoomRow } from '../rooms/schemas.ts';
import { ThreadRow } from '../threads/schemas.ts';

/** The name and version of the format that docs/export.md describes. */
export const FORMAT = 'stoa-export/1';

/** The schema of a member that always has the same value. */
const Constant = <const Value extends string>(value: Value) =>
  Type.Unsafe<Value>({ type: 'string', const: value });

// An export holds what was said in a room. Members that describe the reader, or what the owner
// permits in this installation, are left out.
const {
  role: _,
  acceptsNotices: __,
  archived: ___,
  proposedOwnerId: ____,
  subscribed: _______,
  ...room
} = RoomRow.properties;
const { subscribed: _____, ...thread } = ThreadRow.properties;
// Version 1 of the format does not have this member.
const { deletedBy: ______, ...message } = Message.properties;

const counts = Closed(
  { room: Int64(), member: Int64(), thread: Int64(), message: Int64(), file: Int64() },
  { title: 'ExportCounts', description: 'The number of lines of each type.' },
);

/** The schema of each type of line, in the order in which an export has them. */
export const recordSchemas = {
  room: Closed(
    {
      type: Constant('room'),
      format: Constant(FORMAT),
      exportedAt: Time({ description: 'When the export began.' }),
      withContent: Type.Boolean({
        description: 'Whether the export includes the bytes of files (`?files=true`).',
      }),
      ...room,
    },
    { title: 'ExportedRoom', description: 'The first line.' },
  ),
  member: Closed(
    { type: Constant('member'), ...Member.properties },
    { title: 'ExportedMember', description: 'Each member, in id order.' },
  ),
  thread: Closed(
    { type: Constant('thread'), ...thread },
    {
      title: 'ExportedThread',
      description:
        'Each thread that is not deleted, oldest first. Its `messageCount` messages follow.',
    },
  ),
  message: Closed(
    { type: Constant('message'), ...message },
    {
      title: 'ExportedMessage',
      description: 'Each message, with positions 0, 1, 2, ... without gaps.',
    },
  ),
  file: Closed(
    {
      type: Constant('file'),
      ...FileRow.properties,
      content: nullable(
        Type.String({ description: 'The bytes in base64; null unless they were requested.' }),
      ),
    },
    { title: 'ExportedFile', description: 'Each file of a message, after that message.' },
  ),
  end: Closed(
    {
      type: Constant('end'),
      lines: Int64({ description: 'The number of lines before this one.' }),
      counts,
      bytes: Int64({ description: 'The number of bytes before this line.' }),
      sha256: Sha256({
        description: 'The SHA-256 of exactly these bytes, including the last line feed.',
      }),
    },
    { title: 'ExportEnd', description: 'The last line. Without it the export is incomplete.' },
  ),
} as const;

/** The type of a line. */
export type ExportRecordType = keyof typeof recordSchemas;
/** The record of a line of one type. */
export type RecordByType<Type extends ExportRecordType> = Static<(typeof recordSchemas)[Type]>;

/** The schema of a line of an export. */
export const ExportLine = Type.Unsafe<
  { [Type in ExportRecordType]: RecordByType<Type> }[ExportRecordType]
>({
  title: 'ExportLine',
  oneOf: Object.values(recordSchemas),
});
