import { Closed, Int64, Name, Sha256, type Static, Text, Time, Uuid } from '../../kernel/schema.ts';

export const FileRow = Closed(
  {
    id: Uuid(),
    messageId: Uuid(),
    name: Name(1, 255),
    mediaType: Text(1, 255),
    size: Int64({ description: 'Bytes.' }),
    sha256: Sha256(),
    authorId: Uuid(),
    createdAt: Time(),
    url: Text(1, 2000),
  },
  { title: 'FileRow' },
);
export type FileRow = Static<typeof FileRow>;
