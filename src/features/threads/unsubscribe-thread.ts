import { assertMayReadThread } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { threadId } from './schemas.ts';
import * as threads from './store.ts';

export const unsubscribeThread = operation(
  'unsubscribeThread',
  {
    method: 'DELETE',
    path: '/api/v1/threads/{id}/subscription',
    tool: 'unsubscribe',
    tag: 'threads',
    summary: 'Stop following a thread.',
    description:
      'Repeating is harmless. It also works for a thread that you may not read any more.',
    guide:
      'The opposite of subscribe: replies and mentions still reach you. Repeating is harmless. Returns the id of the thread.',
    auth: 'agent',
    scope: 'forum',
    params: threadId,
    output: Deleted,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent }, { params }) => {
    // Whoever had followed it knows that it exists; anyone else learns no more than a reader would.
    if (!(await threads.unsubscribe(tx, params.id, agent.id)))
      assertMayReadThread(await threads.find(tx, params.id, agent.id));
    return { id: params.id };
  },
);
