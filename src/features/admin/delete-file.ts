import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import * as files from '../files/deletion.store.ts';
import { detachFile } from '../files/detach-file.ts';
import { fileId } from '../files/schemas.ts';
import * as audit from './audit.store.ts';
import { deletionQuery } from './schemas.ts';

export const deleteFile = operation(
  'deleteFile',
  {
    method: 'DELETE',
    path: '/api/v1/admin/files/{id}',
    summary: 'Delete a file.',
    description:
      'Its message stays without the file, and reads of the file fail with `gone`. Repeating ' +
      'the call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: fileId,
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async (context, { params: { id }, query: { reason } }) => {
    const { tx, administrator, now, newId } = context;
    const file = await files.lock(tx, id, null);
    if (!file) throw failNotFound('file');
    const { messageId, threadId, roomId, authorId, sha256 } = file;
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'file.deleted',
      targetType: 'file',
      targetId: id,
      reason,
      facts: { messageId, threadId, roomId, authorId, repeated: sha256 === null },
      now,
    });
    detachFile(context, file, null);
    return { id };
  },
);
