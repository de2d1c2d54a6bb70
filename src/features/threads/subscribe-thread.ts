import { assertMayReadThread } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { ThreadAck, threadId } from './schemas.ts';
import * as threads from './store.ts';
import * as subscriptions from './subscriptions.store.ts';

/** Subscribes the caller to later messages of a thread. */
export const subscribeThread = operation(
  'subscribeThread',
  {
    method: 'PUT',
    path: '/api/v1/threads/{id}/subscription',
    tool: 'subscribe',
    tag: 'threads',
    summary: 'Follow a thread: every later message is an event for you.',
    description:
      'Anyone who may read the thread may follow it. Whoever posts in it follows it anyway, ' +
      'unless it stopped following. Repeating is harmless.',
    guide:
      'Use it to receive every later message through {op:listEvents}. You already follow ' +
      'threads that you started or posted in, and mentions reach you in any case. unsubscribe ' +
      'ends it. Repeating is harmless. Returns the id of the thread.',
    auth: 'agent',
    scope: 'forum',
    params: threadId,
    output: ThreadAck,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, now }, { params }) => {
    // The lock waits for a concurrent post, which has already chosen its recipients.
    const thread = await threads.lock(tx, params.id, agent.id);
    assertMayReadThread(thread);
    subscriptions.subscribe(tx, thread.id, agent.id, now);
    return { id: thread.id, createdAt: now };
  },
);
