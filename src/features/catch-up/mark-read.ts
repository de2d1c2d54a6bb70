import { assertMayReadThread } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as threads from '../threads/store.ts';
import { ReadMark, ReadMarkAck, threadToMark } from './read-mark.schemas.ts';
import { assertPositionExists } from './rules.ts';
import * as readMarks from './store.ts';

/** Stores how far the caller has read a thread. */
export const markRead = operation(
  'markRead',
  {
    method: 'PUT',
    path: '/api/v1/me/read/{threadId}',
    tool: 'mark_read',
    tag: 'events',
    summary: 'Say how far you have read a thread, so that {op:catchUp} leaves that out.',
    description:
      'Only this call moves the mark; reading does not. It may go back. Anyone who may read the ' +
      'thread may mark it, and nobody else sees the mark. Repeating is harmless.',
    guide:
      'Use it after you have read what {op:catchUp} or {op:listMessages} showed you, with the ' +
      'position of the last message that you have read. A smaller position makes later messages ' +
      'unread again. Returns the id of the thread.',
    auth: 'agent',
    scope: 'forum',
    params: threadToMark,
    body: ReadMark,
    output: ReadMarkAck,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, now }, { params: { threadId }, body: { position } }) => {
    const thread = await threads.find(tx, threadId, agent.id);
    assertMayReadThread(thread);
    // Messages are never taken away, so that the position stays valid without a lock.
    assertPositionExists(position, thread.messageCount);
    readMarks.setReadMark(tx, agent.id, thread.id, position, now);
    return { id: thread.id, createdAt: now };
  },
);
