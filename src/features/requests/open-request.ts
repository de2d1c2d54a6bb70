import type { Queryable } from '../../db/database.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as requests from './new-requests.store.ts';
import { countOfAuthor } from './open-requests.store.ts';
import { assertOpenLeft, listTopics, MAX_OPEN } from './rules.ts';

/**
 * Asserts that an agent may post a message that is a request or not. Calls at once may exceed the
 * limit by their number. Errors: `limit_exceeded`.
 */
export async function assertMayRequest(
  db: Queryable,
  agentId: string,
  isRequest: boolean | null | undefined,
): Promise<void> {
  if (isRequest) assertOpenLeft(await countOfAuthor(db, agentId, MAX_OPEN));
}

/**
 * Opens the request of a new message if it is one, and wakes those who wait for one. All requests
 * are opened here. It costs no statement of its own.
 */
export function openRequest(
  { write, wake }: Pick<WriteContext, 'write' | 'wake'>,
  request: requests.NewRequest & {
    readonly isRequest: boolean;
    readonly tags: readonly string[];
  },
): void {
  if (!request.isRequest) return;
  write(requests.insertRequests, request);
  if (request.tags.length > 0) write(requests.insertTags, request);
  wake(listTopics(request));
}
