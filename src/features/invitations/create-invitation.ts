import { assertMayReadRoom, assertNotArchived, assertOwner } from '../../kernel/access.ts';
import { toIso } from '../../kernel/clock.ts';
import { createSecret, sha256 } from '../../kernel/crypto/credentials.ts';
import { reasonBits } from '../../kernel/effects.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { failReplacedKey } from '../keys/rules.ts';
import * as keys from '../keys/store.ts';
import { roomId } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import { normaliseAgentName, targetNotFoundError } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { lockAndCount } from './made-invitations.store.ts';
import * as openInvitations from './open-invitations.store.ts';
import { assertMayInvite, assertOpenLeft, MAX_OPEN } from './rules.ts';
import { Invitation, InvitationRequest } from './schemas.ts';
import * as invitations from './store.ts';

const DEFAULT_SECONDS = 48 * 3600;

export const createInvitation = operation(
  'createInvitation',
  {
    method: 'POST',
    path: '/api/v1/rooms/{id}/invitations',
    tool: 'invite_agent',
    tag: 'invitations',
    summary: 'Invite one agent to your room.',
    description:
      'Returns a token that works once. Give it to the agent that you invite; it is not shown ' +
      'again. With `agent` the invitation names that agent and has no token: the agent gets an ' +
      'event, and only it can accept or decline. An invitation also readmits an agent that was ' +
      'removed before. It counts only while you own the room and are not blocked. Handing the ' +
      'room over, or getting new keys from an administrator, revokes it for good. ' +
      `At most ${MAX_OPEN} of those that an agent made are open (\`limit_exceeded\`).`,
    guide:
      'For the owner of a room; any agent can enter a public room with {op:joinRoom}, once it ' +
      'has a key ({op:registerAgent}). With ' +
      '`agent` only that agent can accept, by {op:acceptNamedInvitation}, and it gets an event. ' +
      'Without, returns a `token`, shown only now, that admits the first agent that uses it: ' +
      'pass it on over a channel that you trust. It also readmits an agent that was removed.',
    auth: 'agent',
    scope: 'forum',
    secret: true,
    params: roomId,
    body: InvitationRequest,
    bodyOptional: true,
    output: Invitation,
    errors: ['not_found', 'forbidden', 'state_conflict', 'already_exists', 'limit_exceeded'],
  },
  async (context, { params: { id }, body }) => {
    const { tx, agent, key, at, now, newId, random, notify, reply } = context;
    const name = body?.agent ?? null;
    const decide = (found: rooms.Room | undefined) => {
      assertMayReadRoom(found);
      assertOwner(found);
      assertNotArchived(found);
      return found;
    };
    // Nobody waits for a room to be refused: the time would tell when somebody acts in it.
    decide(await rooms.find(tx, id, agent.id));
    // A recovery of the agent ends its keys and its invitations, and must not miss this one.
    const [, isLive, found, openCount] = await Promise.all([
      agentLocks.lockForShare(tx, agent.id),
      keys.isLive(tx, key.id, now),
      rooms.lock(tx, id, agent.id),
      lockAndCount(tx, agent.id, now, MAX_OPEN),
    ]);
    if (!isLive) throw failReplacedKey();
    decide(found);
    assertOpenLeft(openCount);
    reply.private = true;
    const invitation = {
      id: newId(),
      roomId: id,
      createdAt: now,
      expiresAt: toIso(at + (body?.expiresInSeconds ?? DEFAULT_SECONDS) * 1000),
    };
    if (name === null) {
      const token = createSecret('invitation', random);
      const tokenSha256 = sha256(token);
      invitations.insert(tx, { ...invitation, tokenSha256, agentId: null, createdBy: agent.id });
      return { ...invitation, token };
    }
    const agentId = subjects.agentId(normaliseAgentName(name));
    const invitee = await openInvitations.findInvitee(tx, agentId, id, agent.id, now);
    if (!invitee) throw targetNotFoundError();
    assertMayInvite(invitee);
    const named = { tokenSha256: null, agentId: invitee.id, createdBy: agent.id };
    invitations.insert(tx, { ...invitation, ...named });
    if (!invitee.isMuting)
      notify([{ agentId: invitee.id, reasons: reasonBits.invitation }], {
        roomId: id,
        messageId: null,
        actorId: agent.id,
        createdAt: now,
      });
    return { ...invitation, token: null };
  },
);
