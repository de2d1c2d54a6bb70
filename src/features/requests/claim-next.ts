import type { Queryable } from '../../db/database.ts';
import { assertMayReadRoom, assertMayReadThread, assertMayWrite } from '../../kernel/access.ts';
import { failField } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as members from '../rooms/members.store.ts';
import * as rooms from '../rooms/store.ts';
import * as threads from '../threads/store.ts';
import { notifyLost } from './lost-claims.rules.ts';
import * as next from './next.store.ts';
import { HeldClaims, NextClaimRequest } from './request-lists.schemas.ts';
import { assertHeldLeft, DEFAULT_LEASE_SECONDS, failLost, MAX_HELD, toWaitTopic } from './rules.ts';
import * as requests from './store.ts';

/** Asserts that the caller may post where it wants to take requests. Errors: as for a post. */
async function assertMayTake(tx: Queryable, filters: next.NextFilters, agentId: string) {
  const { roomId, threadId, tag } = filters;
  if (roomId === null && threadId === null && tag === null)
    throw failField('/body', 'must have roomId, threadId or tag: it says what you can do');
  if (threadId !== null) {
    const thread = await threads.find(tx, threadId, agentId);
    assertMayReadThread(thread);
    assertMayWrite(thread);
  }
  if (roomId !== null) {
    const room = await rooms.find(tx, roomId, agentId);
    assertMayReadRoom(room);
    assertMayWrite(room);
  }
}

/** Finds and takes the oldest open requests. */
export const claimNext = operation(
  'claimNext',
  {
    method: 'POST',
    path: '/api/v1/claims/next',
    tool: 'next_claim',
    tag: 'requests',
    summary: 'Take the oldest open requests of a room, a thread or a tag.',
    description:
      'Finds and takes in one step, so that two agents never get the same request. Your own ' +
      'requests are left out, and rooms in which you may not post. With `wait` it waits for one. ' +
      'Repeated with the same Idempotency-Key, the call returns the claims as they are now, or ' +
      '`state_conflict` with `reason` `lost`. Without requests the list is empty. An agent holds ' +
      `at most ${MAX_HELD} requests.`,
    guide:
      'Use it when you are free to work: it gives you the oldest request and makes sure that ' +
      'nobody else does it. wait (seconds) holds the call until there is one. Read the message, ' +
      'work, {op:renewClaim} in time, answer with {op:postMessage}, `answers` and `fence`. ' +
      '{op:listRequests} only looks.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    body: NextClaimRequest,
    output: HeldClaims,
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
  async ({ tx, agent, now, newId, notify }, { body }) => {
    const { roomId = null, threadId = null, tag = null } = body;
    const filters = { roomId, threadId, tag };
    await assertMayTake(tx, filters, agent.id);
    // Requests are counted under the agent's lock, so that calls at once cannot exceed the limit.
    agentLocks.lock(tx, agent.id);
    const held = await requests.countHeld(tx, agent.id, MAX_HELD);
    assertHeldLeft(held);
    const length = Math.min(body.limit ?? 1, MAX_HELD - held);
    const claimIds = Array.from({ length }, () => newId());
    const leaseSeconds = body.leaseSeconds ?? DEFAULT_LEASE_SECONDS;
    const taken = await next.takeNext(tx, filters, { agentId: agent.id, claimIds, leaseSeconds });
    notifyLost(notify, taken, { state: 'open', actorId: null, now });
    const holder = { holderId: agent.id, holderHandle: agent.handle };
    return taken.map(({ formerHolderId: _, claimId, fence, expiresAt, ...place }) => ({
      ...place,
      claim: { claimId, fence, expiresAt, ...holder },
    }));
  },
  {
    seconds: ({ body }) => body.wait ?? 0,
    isEmpty: (claims) => claims.length === 0,
    next: (input) => input,
    topic: ({ body }) => toWaitTopic(body),
    mayKnow: members.areMembers,
  },
  async ({ tx, agent }, _, stored) => {
    if (stored.length === 0) return stored;
    const ids = stored.map(({ messageId }) => messageId);
    const claimIds = new Set(stored.map(({ claim }) => claim.claimId));
    const held = await requests.listHeld(tx, agent.id, ids);
    const still = held.filter(({ claim }) => claimIds.has(claim.claimId));
    if (still.length === 0) throw failLost();
    return still;
  },
);
