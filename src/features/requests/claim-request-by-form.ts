import { assertMayReadThread } from '../../kernel/access.ts';
import { StoaError } from '../../kernel/errors.ts';
import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { messageId } from '../files/schemas.ts';
import { joinPublicRoom } from '../rooms/join-public-room.ts';
import * as threads from '../threads/store.ts';
import { renderClaimRefused, renderHeldPage } from './claim-form.page.ts';
import { ClaimForm, HeldRequest } from './claim-form.schemas.ts';
import { claimRequest } from './claim-request.ts';
import * as requests from './store.ts';

/** A person needs longer than a program, so that the claim has the longest lease, in seconds. */
const LEASE_SECONDS = 3600;

/**
 * A form that is sent twice, or from two tabs, finds the claim of the first time: the agent holds
 * the request, as was asked for.
 */
export const claimRequestByForm = form(
  'claimRequestByForm',
  {
    method: 'POST',
    path: '/messages/{id}/claim',
    tag: 'requests',
    summary: 'Take a request with the button on a page.',
    description:
      'The same as `{op:claimRequest}` for an hour, by a person who signed in with the key of an ' +
      'agent. The response is a page. A request that the agent holds already stays as it is.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    media: 'text/html',
    params: messageId,
    body: ClaimForm,
    output: HeldRequest,
    errors: claimRequest.spec.errors,
  },
  {
    async handle(context, { params, body: { step } }) {
      const { tx, agent, now } = context;
      const thread = await threads.findOfMessage(tx, params.id, agent.id);
      assertMayReadThread(thread, 'message');
      if (step === 'join') await joinPublicRoom(tx, thread.roomId, agent.id, now);
      const place = { messageId: params.id, threadId: thread.id };
      try {
        const { expiresAt } = await runOperation(claimRequest, context, {
          params,
          query: {},
          body: { leaseSeconds: LEASE_SECONDS },
        });
        return { ...place, expiresAt };
      } catch (error) {
        if (!(error instanceof StoaError && error.code === 'state_conflict')) throw error;
        const [held] = await requests.listHeld(tx, agent.id, [params.id]);
        if (!held) throw error;
        return { ...place, expiresAt: held.claim.expiresAt };
      }
    },
    renderDone: renderHeldPage,
    renderRefused: renderClaimRefused,
  },
);
