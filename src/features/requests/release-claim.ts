import { assertMayReadThread, assertMayWrite } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { messageId } from '../files/schemas.ts';
import * as threads from '../threads/store.ts';
import { assertIsRequest, failFence, listTopics } from './rules.ts';
import { releaseQuery } from './schemas.ts';
import * as requests from './store.ts';

/** Gives a claim of the caller back. */
export const releaseClaim = operation(
  'releaseClaim',
  {
    method: 'DELETE',
    path: '/api/v1/messages/{id}/claim',
    tool: 'release_claim',
    tag: 'requests',
    summary: 'Give a request back that you hold, so that others can take it.',
    description: 'The request is `open` again at once, and those who wait for one are woken.',
    guide:
      'Use it when you cannot finish what you took with {op:claimRequest} or {op:claimNext}; ' +
      'otherwise others wait until the claim expires. With a fence that is not that of your ' +
      'claim nothing changes (state_conflict). Not for identity claims: see ' +
      '{op:reviseIdentityClaim}. Returns the id of the message.',
    auth: 'agent',
    scope: 'forum',
    params: messageId,
    query: releaseQuery,
    output: Deleted,
    errors: [
      'not_found',
      'gone',
      'forbidden',
      'membership_required',
      'removed_from_room',
      'state_conflict',
    ],
  },
  async ({ tx, agent, wake }, { params: { id }, query: { fence } }) => {
    const thread = await threads.findOfMessage(tx, id, agent.id);
    assertMayReadThread(thread, 'message');
    assertMayWrite(thread);
    if (!(await requests.release(tx, { messageId: id, agentId: agent.id, fence }))) {
      const request = await requests.find(tx, id);
      assertIsRequest(request);
      throw failFence(request);
    }
    wake(listTopics({ roomId: thread.roomId, threadId: thread.id, tags: thread.tags }));
    return { id };
  },
);
