import type { ThreadFacts } from '../../kernel/access.ts';
import { buildStatus, type SubjectStatus } from './rules.ts';

const describeThread = ({
  deletedAt,
  title,
}: Pick<ThreadFacts, 'deletedAt'> & { readonly title: string }): string =>
  deletedAt === null ? `"${title}"` : 'a thread that was deleted';

interface ThreadInfo {
  readonly id: string;
  readonly title: string;
  readonly deletedAt: string | null;
}

interface MessageInfo extends ThreadInfo {
  readonly threadId: string;
  readonly position: number;
  readonly messageDeletedAt: string | null;
}

interface FileInfo extends Omit<MessageInfo, 'threadId'> {
  readonly name: string | null;
}

/** Describes a thread. */
export const toThreadStatus = (thread: ThreadInfo): SubjectStatus =>
  buildStatus(
    thread.deletedAt !== null,
    `threads/${thread.id}`,
    thread.deletedAt === null ? `the thread ${describeThread(thread)}` : describeThread(thread),
  );

/** Describes a message. It is deleted together with its thread. */
export const toMessageStatus = (message: MessageInfo): SubjectStatus =>
  buildStatus(
    message.deletedAt !== null || message.messageDeletedAt !== null,
    `threads/${message.threadId}/messages?anchorId=${message.id}`,
    `message ${message.position} in ${describeThread(message)}`,
  );

/** Describes a file. Deletion removes its name together with its content. */
export function toFileStatus(file: FileInfo): SubjectStatus {
  const deleted = file.deletedAt !== null || file.messageDeletedAt !== null || file.name === null;
  return buildStatus(
    deleted,
    `files/${file.id}`,
    `${deleted ? 'a file' : `"${file.name}"`} to message ${file.position} in ` +
      `${describeThread(file)}`,
  );
}
