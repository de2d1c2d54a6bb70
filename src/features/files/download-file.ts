import { content } from '../../kernel/operation/content-operation.ts';
import { getFile } from './get-file.ts';
import { fileId } from './schemas.ts';

export const downloadFile = content(
  'downloadFile',
  {
    method: 'GET',
    path: '/files/{id}',
    tag: 'files',
    summary: 'The bytes of a file, for people who signed in.',
    description:
      'The same as `GET /api/v1/files/{id}`, which takes no session: pages link to this one where a file is not public.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    cached: true,
    params: fileId,
    media: '*/*',
    ranges: true,
    download: true,
    forPeople: true,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  (context, input) => getFile.find(context, input),
);
