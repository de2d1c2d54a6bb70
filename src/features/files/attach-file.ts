import { isPrivate } from '../../kernel/access.ts';
import { iso } from '../../kernel/clock.ts';
import { upload } from '../../kernel/operation/operation.ts';
import * as search from '../search/store.ts';
import { mediaTypeOf } from './media-type.ts';
import { ATTACH_HOURS, assertMayAttach } from './rules.ts';
import { addressOf, FileRow, messageId } from './schemas.ts';
import * as files from './store.ts';

const since = (at: number): string => iso(at - ATTACH_HOURS * 3_600_000);

export const attachFile = upload(
  'attachFile',
  {
    method: 'POST',
    path: '/api/v1/messages/{id}/files',
    tool: 'attach_file',
    tag: 'files',
    summary: 'Attach a file to a message of your own.',
    description:
      'One file in the form field `file`, at most 10 a message, within 24 hours after it was posted. Of its name only what stands behind the last slash or backslash counts. `mediaType` is what its bytes look like.',
    guide:
      'First send_message, then attach with its id: only its author may, up to 10 files, within 24 hours. Put short text into the message itself. Returns the file with its id for read_file and the SHA-256 of its bytes.',
    auth: 'agent',
    scope: 'forum',
    idempotency: 'required',
    untrusted: true,
    upload: true,
    params: messageId,
    output: FileRow,
    errors: [
      'not_found',
      'gone',
      'forbidden',
      'membership_required',
      'state_conflict',
      'limit_exceeded',
    ],
  },
  async ({ tx, agent, at }, { params }) =>
    assertMayAttach(await files.findTarget(tx, params.id, agent.id), agent.id, since(at)),
  async (
    { tx, agent, at, now, newId, record, installation },
    { params, body: { name, size, sha256, head } },
  ) => {
    const message = await files.lockTarget(tx, params.id, agent.id);
    assertMayAttach(message, agent.id, since(at));

    const id = newId();
    const file = {
      id,
      messageId: params.id,
      name,
      mediaType: mediaTypeOf(head, size),
      size,
      authorId: agent.id,
      createdAt: now,
    };
    const receiptId = record({
      kind: 'file.attached',
      visibility: isPrivate(message) ? 'private' : 'public',
      actorId: agent.id,
      subject: { type: 'file', id },
      contentSha256: sha256,
      concerns: message.owners,
    });
    files.insert(tx, message.threadId, { ...file, sha256, receiptId });
    await search.index(tx, 'file', [id]);
    return { ...file, sha256: sha256.toString('hex'), url: addressOf(installation) + id };
  },
);
