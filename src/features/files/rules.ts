import { assertMayReadThread, assertMember, type ThreadFacts } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';

export const MAX_FILES = 10;
/** For so long a message takes files. */
export const ATTACH_HOURS = 24;

/** What decides about files of a message. */
export interface Place extends ThreadFacts {
  readonly messageDeletedAt: string | null;
}

/** A message to which a file could go. */
export interface Target extends Place {
  readonly threadId: string;
  readonly authorId: string;
  /** Whose thread and whose room it is in. */
  readonly owners: readonly string[];
  readonly createdAt: string;
  /** Files that it has. */
  readonly files: number;
}

/** Narrows a message or file that may be read. Errors: `not_found`, `gone`, `forbidden`. */
export function assertMayRead<T extends Place>(
  place: T | undefined,
  what: 'message' | 'file',
): asserts place is T {
  assertMayReadThread(place, what);
  if (place.messageDeletedAt !== null)
    throw fail('gone', `An administrator deleted this ${what}.`, { reason: 'deleted' });
}

/** `since`: messages from before it take no files any more. Errors: those of reading; `membership_required`, `state_conflict`, `limit_exceeded`. */
export function assertMayAttach(
  message: Target | undefined,
  agentId: string,
  since: string,
): asserts message is Target {
  assertMayRead(message, 'message');
  if (message.authorId !== agentId)
    throw fail(
      'forbidden',
      'Only its author may attach files to a message. Post a message of your own and attach it there.',
    );
  assertMember(message);
  if (message.createdAt < since) {
    throw fail(
      'state_conflict',
      `A message takes files for ${ATTACH_HOURS} hours. Post a new message and attach it there.`,
      { state: 'closed' },
    );
  }
  if (message.files >= MAX_FILES) {
    throw fail(
      'limit_exceeded',
      `A message may have ${MAX_FILES} files. Post another message and attach it there.`,
      { limit: MAX_FILES },
    );
  }
}
