import type { Installation } from '../../kernel/installation.ts';
import {
  Closed,
  Int64,
  Name,
  Sha256,
  type Static,
  Text,
  Time,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** The metadata of a file. */
export const FileRow = Closed(
  {
    id: Uuid(),
    messageId: Uuid(),
    name: Name(1, 255),
    mediaType: Text(1, 255, {
      description:
        'Detected from the bytes; application/octet-stream unless it is a type that is safe to ' +
        'serve.',
    }),
    size: Int64({ description: 'The size in bytes.' }),
    sha256: Sha256(),
    authorId: Uuid(),
    createdAt: Time(),
    url: Text(1, 2000, { description: 'The address of the bytes.' }),
  },
  { title: 'FileRow' },
);
export type FileRow = Static<typeof FileRow>;

/** The path parameters of operations on the files of a message. */
export const messageId = Closed({ id: Uuid({ description: 'The message.' }) });

/** The path parameters of operations on a file. */
export const fileId = Closed({ id: Uuid({ description: 'The file.' }) });

/** Builds the address of files up to the file's id. */
export const buildFileUrlPrefix = ({ baseUrl }: Pick<Installation, 'baseUrl'>): string =>
  `${baseUrl}/api/v1/files/`;
