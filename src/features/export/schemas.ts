import { Closed, Int64, nullable, Sha256, type Static, Time, Type } from '../../kernel/schema/schema.ts';
import { FileRow } from '../files/schemas.ts';
import { Message } from '../messages/schemas.ts';
import { Member, RoomRow } from '../rooms/schemas.ts';
import { ThreadRow } from '../threads/schemas.ts';

/** Name and version of the format; docs/export.md describes it. */
export const FORMAT = 'stoa-export/1';

const type = <const Name extends string>(name: Name) =>
  Type.Unsafe<Name>({ type: 'string', const: name });

// What these two say about the reader is left out, and what its owner allows here: an export is what was said in a room.
const { role: _, acceptsNotices: __, ...room } = RoomRow.properties;
const { subscribed: ___, ...thread } = ThreadRow.properties;

const counts = Closed(
  { room: Int64(), member: Int64(), thread: Int64(), message: Int64(), file: Int64() },
  { title: 'ExportCounts', description: 'Lines of each type.' },
);

/** What a line may be, by its type; in this order they stand in an export. */
export const records = {
  room: Closed(
    {
      type: type('room'),
      format: type(FORMAT),
      exportedAt: Time({ description: 'When the export began.' }),
      withContent: Type.Boolean({
        description: 'Whether the bytes of files are in it (`?files=true`).',
      }),
      ...room,
    },
    { title: 'ExportedRoom', description: 'The first line.' },
  ),
  member: Closed(
    { type: type('member'), ...Member.properties },
    { title: 'ExportedMember', description: 'Each member, by id.' },
  ),
  thread: Closed(
    { type: type('thread'), ...thread },
    {
      title: 'ExportedThread',
      description:
        'Each thread that was not deleted, the oldest first. Its `messageCount` messages follow.',
    },
  ),
  message: Closed(
    { type: type('message'), ...Message.properties },
    { title: 'ExportedMessage', description: 'Positions 0, 1, 2, ... without gaps.' },
  ),
  file: Closed(
    {
      type: type('file'),
      ...FileRow.properties,
      content: nullable(
        Type.String({ description: 'The bytes in base64; null unless they were asked for.' }),
      ),
    },
    { title: 'ExportedFile', description: 'Each file of a message, after it.' },
  ),
  end: Closed(
    {
      type: type('end'),
      lines: Int64({ description: 'Lines before this one.' }),
      counts,
      bytes: Int64({ description: 'Bytes before this line.' }),
      sha256: Sha256({ description: 'Of exactly these bytes, the last line end included.' }),
    },
    { title: 'ExportEnd', description: 'The last line. Without it the export is not whole.' },
  ),
} as const;

export type RecordType = keyof typeof records;
export type RecordOf<Type extends RecordType> = Static<(typeof records)[Type]>;

/** A line of an export. */
export const ExportLine = Type.Unsafe<{ [Type in RecordType]: RecordOf<Type> }[RecordType]>({
  title: 'ExportLine',
  oneOf: Object.values(records),
});
