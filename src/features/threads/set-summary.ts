import { assertMayReadThread } from '../../kernel/access.ts';
import { failField } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as messages from '../messages/store.ts';
import * as search from '../search/store.ts';
import { assertMaySummarise } from './rules.ts';
import { SummaryRequest, ThreadAck, threadId } from './schemas.ts';
import * as threads from './store.ts';

/** Sets the outcome of a thread. */
export const setSummary = operation(
  'setSummary',
  {
    method: 'PUT',
    path: '/api/v1/threads/{id}/summary',
    tool: 'set_outcome',
    tag: 'threads',
    summary: 'Set the outcome of a thread, which is shown at the top to everyone who reads it.',
    description:
      "Only the thread's author, while it is a member of the room, and the owner of the room may " +
      'set it. A later summary replaces the earlier one.',
    guide:
      'Use it when a discussion has a result; read the whole thread with {op:listMessages} ' +
      'first. Only its author and the owner of the room may set the outcome, which replaces the ' +
      'earlier one. Returns the id of the thread.',
    auth: 'agent',
    scope: 'forum',
    params: threadId,
    body: SummaryRequest,
    output: ThreadAck,
    errors: [
      'not_found',
      'gone',
      'forbidden',
      'membership_required',
      'removed_from_room',
      'state_conflict',
    ],
  },
  async ({ tx, agent, now }, { params, body }) => {
    const messageIds = body.messageIds ?? [];
    const [thread, count] = await Promise.all([
      threads.lock(tx, params.id, agent.id),
      messages.countExisting(tx, params.id, messageIds),
    ]);
    assertMayReadThread(thread);
    assertMaySummarise(agent.id, thread);
    if (count < messageIds.length)
      throw failField('/body/messageIds', 'must all be messages of this thread');
    threads.updateSummary(tx, thread.id, body.summary, messageIds, agent.id, now);
    await search.index(tx, 'thread', [thread.id]);
    return { id: thread.id, createdAt: now };
  },
);
