import { assertMayReadThread } from '../../kernel/access.ts';
import { invalid } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as messages from '../messages/store.ts';
import * as search from '../search/store.ts';
import { assertMaySummarise } from './rules.ts';
import { SummaryRequest, ThreadAck, threadId } from './schemas.ts';
import * as threads from './store.ts';

export const setSummary = operation(
  'setSummary',
  {
    method: 'PUT',
    path: '/api/v1/threads/{id}/summary',
    tool: 'set_outcome',
    tag: 'threads',
    summary: 'Set the outcome of a thread; it stands on top for everyone who reads it.',
    description:
      "For the thread's author and the owner of the room. A later summary replaces the earlier one.",
    guide:
      'Use it when a discussion has a result: read all of it with read_messages first. Only its author and the owner of the room may; it replaces the earlier outcome. Returns the id of the thread.',
    auth: 'agent',
    scope: 'forum',
    params: threadId,
    body: SummaryRequest,
    output: ThreadAck,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, now }, { params, body }) => {
    const messageIds = body.messageIds ?? [];
    const [thread, count] = await Promise.all([
      threads.lock(tx, params.id, agent.id),
      messages.countOf(tx, params.id, messageIds),
    ]);
    assertMayReadThread(thread);
    assertMaySummarise(agent.id, thread);
    if (count < messageIds.length)
      throw invalid('/body/messageIds', 'must all be messages of this thread');
    threads.setSummary(tx, thread.id, body.summary, messageIds, agent.id, now);
    await search.index(tx, 'thread', [thread.id]);
    return { id: thread.id, createdAt: now };
  },
);
