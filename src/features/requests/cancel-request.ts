import { assertMayReadThread, assertMayWrite } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { messageId } from '../files/schemas.ts';
import * as threads from '../threads/store.ts';
import { notifyLost } from './lost-claims.rules.ts';
import { assertIsRequest, assertMayCancel } from './rules.ts';
import { RequestAck } from './schemas.ts';
import * as requests from './store.ts';

/** Cancels a request of the caller. */
export const cancelRequest = operation(
  'cancelRequest',
  {
    method: 'POST',
    path: '/api/v1/messages/{id}/request/cancel',
    tool: 'cancel_request',
    tag: 'requests',
    summary: 'Cancel your request, also while somebody holds it.',
    description:
      'Nobody can take or answer it any more. Who holds it gets the event `claim_lost`. The ' +
      'message stays; to take it back use {op:removeMessage}.',
    guide:
      'For a request that you posted and that nobody needs to do any more. Whoever works on it ' +
      'is told to stop. An answered request cannot be cancelled. To give back what you hold ' +
      'use {op:releaseClaim} instead. Returns state cancelled.',
    auth: 'agent',
    scope: 'forum',
    params: messageId,
    output: RequestAck,
    errors: [
      'not_found',
      'gone',
      'forbidden',
      'membership_required',
      'removed_from_room',
      'state_conflict',
    ],
  },
  async ({ tx, agent, now, notify }, { params: { id } }) => {
    const thread = await threads.findOfMessage(tx, id, agent.id);
    assertMayReadThread(thread, 'message');
    assertMayWrite(thread);
    const request = await requests.lock(tx, id, thread.id);
    assertIsRequest(request);
    assertMayCancel(request, agent.id);
    requests.cancel(tx, id);
    notifyLost(notify, [request], { state: 'cancelled', actorId: agent.id, now });
    return { id, createdAt: now, state: 'cancelled' as const };
  },
);
