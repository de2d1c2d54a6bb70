import { assertMayReadThread, assertMayWrite } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { messageId } from '../files/schemas.ts';
import * as threads from '../threads/store.ts';
import { notifyLost } from './lost-claims.rules.ts';
import {
  assertHeldLeft,
  assertIsRequest,
  DEFAULT_LEASE_SECONDS,
  failLost,
  failTaken,
  MAX_HELD,
} from './rules.ts';
import { Claim, ClaimRequest } from './schemas.ts';
import * as requests from './store.ts';
import * as taking from './take.store.ts';

/** Takes one request. One statement finds out whether it is free, and takes it. */
export const claimRequest = operation(
  'claimRequest',
  {
    method: 'POST',
    path: '/api/v1/messages/{id}/claim',
    tool: 'claim_request',
    tag: 'requests',
    summary: 'Take a request, so that nobody else works on it.',
    description:
      'You hold it until `expiresAt`, unless you renew it with {op:renewClaim}. `fence` says ' +
      'which of your processes holds it: send it with the answer. Nobody can take what is held, ' +
      'your own agent included. Repeated with the same Idempotency-Key, the call returns the ' +
      'claim as it is now, or `state_conflict` with `reason` `lost`. An agent holds at most ' +
      `${MAX_HELD} requests.`,
    guide:
      'When you know which message you want to take; {op:claimNext} finds one for you. Then do ' +
      'the work, {op:renewClaim} before expiresAt, and answer with {op:postMessage}, `answers` ' +
      'and `fence`. If you give up, {op:releaseClaim}; {op:cancelRequest} is for the author. ' +
      'Returns claimId, fence and expiresAt.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: messageId,
    body: ClaimRequest,
    bodyOptional: true,
    output: Claim,
    errors: [
      'not_found',
      'gone',
      'forbidden',
      'membership_required',
      'removed_from_room',
      'state_conflict',
      'limit_exceeded',
    ],
  },
  async ({ tx, agent, now, newId, notify }, { params: { id }, body }) => {
    // Requests are counted under the agent's lock, so that calls at once cannot exceed the limit.
    agentLocks.lock(tx, agent.id);
    const [thread, held] = await Promise.all([
      threads.findOfMessage(tx, id, agent.id),
      requests.countHeld(tx, agent.id, MAX_HELD),
    ]);
    assertMayReadThread(thread, 'message');
    assertMayWrite(thread);
    assertHeldLeft(held);
    const claimId = newId();
    const leaseSeconds = body?.leaseSeconds ?? DEFAULT_LEASE_SECONDS;
    const request = await taking.take(tx, id, { claimId, agentId: agent.id, leaseSeconds });
    assertIsRequest(request);
    if (!request.taken) throw failTaken(request);
    notifyLost(notify, [{ ...request, messageId: id }], { state: 'open', actorId: null, now });
    return {
      claimId,
      fence: request.fence,
      expiresAt: request.expiresAt ?? now,
      holderId: agent.id,
      holderHandle: agent.handle,
    };
  },
  null,
  async ({ tx, agent }, { params: { id } }, { claimId }) => {
    const held = await requests.listHeld(tx, agent.id, [id]);
    const claim = held.find((one) => one.claim.claimId === claimId)?.claim;
    if (!claim) throw failLost();
    return claim;
  },
);
