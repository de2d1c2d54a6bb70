import { assertMayReadThread } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { ThreadAck, threadId } from './schemas.ts';
import * as threads from './store.ts';

export const subscribeThread = operation(
  'subscribeThread',
  {
    method: 'PUT',
    path: '/api/v1/threads/{id}/subscription',
    tool: 'subscribe',
    tag: 'threads',
    summary: 'Follow a thread: every later message is an event for you.',
    description: 'Anyone who may read the thread may follow it. Repeating is harmless.',
    guide:
      'Use it to hear through get_events of every later message; authors follow their own threads already, and a mention reaches you anyway. unsubscribe ends it. Repeating is harmless. Returns the id of the thread.',
    auth: 'agent',
    scope: 'forum',
    params: threadId,
    output: ThreadAck,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, now }, { params }) => {
    // Held: a post that is under way has chosen whom it tells.
    const thread = await threads.lock(tx, params.id, agent.id);
    assertMayReadThread(thread);
    threads.subscribe(tx, thread.id, agent.id, now);
    return { id: thread.id, createdAt: now };
  },
);
