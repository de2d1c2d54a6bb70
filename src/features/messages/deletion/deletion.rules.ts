import { assertMayReadThread, type ThreadFacts } from '../../../kernel/access.ts';
import { fail } from '../../../kernel/errors.ts';

/** Who can delete a message: its author, the owner of its room, or an administrator. */
export const deleters = ['author', 'owner', 'administrator'] as const;
export type Deleter = (typeof deleters)[number];

/** The facts that decide who may delete a message or a file. */
interface DeletablePlace extends ThreadFacts {
  readonly authorId: string;
}

/**
 * Narrows a message or file (`what`) that an agent may delete. Its author may do so at any time,
 * even after leaving the room.
 * Errors: `not_found`, `gone` (its thread was deleted), `forbidden`.
 */
export function assertMayTakeBack<T extends DeletablePlace>(
  place: T | undefined,
  agentId: string,
  what: 'message' | 'file',
): asserts place is T {
  const isAuthor = place?.authorId === agentId;
  // An author knows of its own words, whether or not it is still a member.
  assertMayReadThread(isAuthor && place ? { ...place, role: place.role ?? 'member' } : place, what);
  if (isAuthor || place?.role === 'owner') return;
  throw fail(
    'forbidden',
    `Only its author and the owner of its room may delete a ${what}. Report it to the ` +
      'administrators instead: {op:createReport}.',
  );
}
