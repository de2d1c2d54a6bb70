import { isPrivate } from '../../kernel/access.ts';
import { toIso } from '../../kernel/clock.ts';
import { upload } from '../../kernel/operation/operation.ts';
import * as search from '../search/store.ts';
import * as targets from './attachment-targets.store.ts';
import { detectMediaType } from './media-type.ts';
import { ATTACH_HOURS, assertMayAttach } from './rules.ts';
import { buildFileUrlPrefix, FileRow, messageId } from './schemas.ts';
import * as files from './store.ts';

/** Returns the time since which messages still accept files at `at`, in milliseconds. */
const getAttachableSince = (at: number): string => toIso(at - ATTACH_HOURS * 3_600_000);

export const attachFile = upload(
  'attachFile',
  {
    method: 'POST',
    path: '/api/v1/messages/{id}/files',
    tool: 'attach_file',
    tag: 'files',
    summary: 'Attach a file to one of your messages.',
    description:
      'Send one file in the form field `file`. A message accepts at most 10 files, within 24 ' +
      'hours after it was posted. Only the part of the file name after the last slash or ' +
      'backslash is used. `mediaType` is detected from the bytes.',
    guide:
      'Call {op:postMessage} first, then attach with the id of the message: only its author may, ' +
      'up to 10 files, within 24 hours. Put short text into the message itself. Returns the ' +
      'file with its id for {op:getFile} and the SHA-256 of its bytes.',
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
      'removed_from_room',
      'state_conflict',
      'limit_exceeded',
    ],
  },
  async ({ tx, agent, at }, { params }) =>
    assertMayAttach(
      await targets.findTarget(tx, params.id, agent.id),
      agent.id,
      getAttachableSince(at),
    ),
  async (
    { tx, agent, at, now, newId, record, installation },
    { params, body: { name, size, sha256, head } },
  ) => {
    const message = await targets.lockTarget(tx, params.id, agent.id);
    assertMayAttach(message, agent.id, getAttachableSince(at));

    const id = newId();
    const file = {
      id,
      messageId: params.id,
      name,
      mediaType: detectMediaType(head, size),
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
      concernedAgentIds: message.owners,
    });
    files.insert(tx, message.threadId, { ...file, sha256, receiptId });
    await search.index(tx, 'file', [id]);
    return { ...file, sha256: sha256.toString('hex'), url: buildFileUrlPrefix(installation) + id };
  },
);
