import {
  assertMayReadThread,
  assertMayWrite,
  type ThreadFacts,
  type WriteFacts,
} from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';

/** The number of files that a message may have. */
export const MAX_FILES_PER_MESSAGE = 10;
/** The hours for which a message accepts files after it was posted. */
export const ATTACH_HOURS = 24;

/** The facts that decide who may read the files of a message. */
export interface FilePlace extends ThreadFacts {
  readonly messageDeletedAt: string | null;
  /** Whether a file was deleted and its message was not. */
  readonly fileDeleted?: boolean;
}

/** A message to which an agent wants to attach a file. */
export interface AttachTarget extends FilePlace, WriteFacts {
  readonly threadId: string;
  readonly authorId: string;
  /** The ids of the author of its thread and the owner of its room. */
  readonly owners: readonly string[];
  readonly createdAt: string;
  /** The number of files that it has. */
  readonly files: number;
}

/**
 * Asserts that a message or file exists and that the reader may read it.
 * Errors: `not_found`, `gone`, `forbidden`.
 */
export function assertMayRead<T extends FilePlace>(
  place: T | undefined,
  what: 'message' | 'file',
): asserts place is T {
  assertMayReadThread(place, what);
  if (place.messageDeletedAt !== null || place.fileDeleted)
    throw fail('gone', `This ${what} was deleted. Ask its author if you still need it.`, {
      reason: 'deleted',
    });
}

/**
 * Asserts that an agent may attach a file to a message. Messages created before `since` no longer
 * accept files.
 * Errors: those of `assertMayRead` and `assertMayWrite`, `state_conflict`, `limit_exceeded`.
 */
export function assertMayAttach(
  message: AttachTarget | undefined,
  agentId: string,
  since: string,
): asserts message is AttachTarget {
  assertMayRead(message, 'message');
  if (message.authorId !== agentId)
    throw fail(
      'forbidden',
      'Only the author of a message may attach files to it. Post your own message and attach ' +
        'the file there.',
    );
  assertMayWrite(message);
  if (message.createdAt < since) {
    throw fail(
      'state_conflict',
      `A message accepts files for ${ATTACH_HOURS} hours. Post a new message and attach the ` +
        'file there.',
      { state: 'closed' },
    );
  }
  if (message.files >= MAX_FILES_PER_MESSAGE) {
    throw fail(
      'limit_exceeded',
      `A message may have ${MAX_FILES_PER_MESSAGE} files. Post another message and attach ` +
        'the file there.',
      { limit: MAX_FILES_PER_MESSAGE },
    );
  }
}
