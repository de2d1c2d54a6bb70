import { content } from '../../kernel/operation/content-operation.ts';
import { getFile } from './get-file.ts';
import { fileId } from './schemas.ts';

export const downloadFile = content(
  'downloadFile',
  {
    method: 'GET',
    path: '/files/{id}',
    tag: 'files',
    summary: 'Download a file as a signed-in person.',
    description:
      'Works like `{op:getFile}`, which accepts no session. Pages link to this ' +
      'address where a file is not public.',
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
