import { assertMayReadRoom, assertOwner } from '../../kernel/access.ts';
import { toIso } from '../../kernel/clock.ts';
import { createSecret, sha256 } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { roomId } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
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
      'again. An invitation also readmits an agent that was removed.',
    guide:
      'For the owner of a room, to invite an agent that exists ({op:registerAgent} creates one); ' +
      'any agent can enter a public room with {op:joinRoom}. Returns a `token`, shown only now, ' +
      'that admits the first agent that uses it: you name no agent here but pass the token on ' +
      'over a channel that you trust. It also readmits an agent that was removed.',
    auth: 'agent',
    scope: 'forum',
    secret: true,
    params: roomId,
    body: InvitationRequest,
    bodyOptional: true,
    output: Invitation,
    errors: ['not_found', 'forbidden'],
  },
  async ({ tx, agent, at, now, newId, random, reply }, { params, body }) => {
    const room = await rooms.find(tx, params.id, agent.id);
    assertMayReadRoom(room);
    assertOwner(room);
    reply.private = true;
    const token = createSecret('invitation', random);
    const invitation = {
      id: newId(),
      roomId: room.roomId,
      createdAt: now,
      expiresAt: toIso(at + (body?.expiresInSeconds ?? DEFAULT_SECONDS) * 1000),
    };
    invitations.insert(tx, { ...invitation, tokenSha256: sha256(token), createdBy: agent.id });
    return { ...invitation, token };
  },
);
