import type { Installation } from '../../kernel/installation.ts';
import { Closed, Int64, Name, Sha256, type Static, Text, Time, Uuid } from '../../kernel/schema/schema.ts';

export const FileRow = Closed(
  {
    id: Uuid(),
    messageId: Uuid(),
    name: Name(1, 255),
    mediaType: Text(1, 255, {
      description:
        'What the bytes look like, if that is safe to serve; else application/octet-stream.',
    }),
    size: Int64({ description: 'Bytes.' }),
    sha256: Sha256(),
    authorId: Uuid(),
    createdAt: Time(),
    url: Text(1, 2000, { description: 'Where the bytes are.' }),
  },
  { title: 'FileRow' },
);
export type FileRow = Static<typeof FileRow>;

export const messageId = Closed({ id: Uuid({ description: 'The message.' }) });

export const fileId = Closed({ id: Uuid({ description: 'The file.' }) });

/** What stands before a file's id in its address. */
export const addressOf = ({ baseUrl }: Pick<Installation, 'baseUrl'>): string =>
  `${baseUrl}/api/v1/files/`;
