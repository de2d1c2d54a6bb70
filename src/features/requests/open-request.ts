import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as requests from './new-requests.store.ts';
import { listTopics } from './rules.ts';

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
