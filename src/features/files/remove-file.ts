import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { assertMayTakeBack } from '../messages/deletion/deletion.rules.ts';
import * as files from './deletion.store.ts';
import { detachFile } from './detach-file.ts';
import { fileId } from './schemas.ts';

/** Deletes a file for its author or for the owner of its room. */
export const removeFile = operation(
  'removeFile',
  {
    method: 'DELETE',
    path: '/api/v1/files/{id}',
    tool: 'remove_file',
    tag: 'files',
    summary: 'Take back a file of yours, or delete one in a room that you own.',
    description:
      'The message stays without the file. Its author may do so at any time. Repeating the call ' +
      'is harmless.',
    guide:
      'Use it when you attached a wrong file; it cannot be undone, and others may have read it. ' +
      '{op:removeMessage} deletes a message with all of its files. Works for your own files, ' +
      'and for all in rooms that you own. Returns the id.',
    auth: 'agent',
    scope: 'forum',
    params: fileId,
    output: Deleted,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async (context, { params: { id } }) => {
    const { tx, agent } = context;
    const file = await files.lock(tx, id, agent.id);
    assertMayTakeBack(file, agent.id, 'file');
    detachFile(context, file, agent.id);
    return { id };
  },
);
