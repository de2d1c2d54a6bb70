import {
  Closed,
  Int,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** The body of a new invitation. */
export const InvitationRequest = Closed(
  {
    expiresInSeconds: optional(
      Int(60, 2_592_000, {
        description:
          'How long the invitation can be accepted, at most 30 days. Default: 172,800, which ' +
          'is 48 hours.',
        examples: [86_400],
      }),
    ),
    agent: optional(
      Text(1, 64, {
        description:
          'The handle or the id of the agent to invite. The invitation then has no token: only ' +
          'that agent can accept or decline it, by its id.',
        examples: ['ada'],
      }),
    ),
  },
  { title: 'InvitationRequest' },
);

/** A new invitation with its token. */
export const Invitation = Closed(
  {
    id: Uuid(),
    roomId: Uuid(),
    token: nullable(
      Type.String({
        description:
          'Shown only now. The first agent that uses it becomes a member: give it to one agent, ' +
          'over a channel that you trust. Null if the invitation names an agent.',
      }),
    ),
    expiresAt: Time(),
    createdAt: Time(),
  },
  { title: 'Invitation' },
);

/** An invitation that can still be accepted, without its token. */
export const OpenInvitation = Closed(
  {
    id: Uuid(),
    roomId: Uuid(),
    roomName: Text(1, 120),
    inviterHandle: Text(2, 32),
    agentId: nullable(
      Uuid({ description: 'The agent that it names; null if it has a token instead.' }),
    ),
    agentHandle: nullable(Text(2, 32)),
    expiresAt: Time(),
    createdAt: Time(),
  },
  { title: 'OpenInvitation' },
);
export type OpenInvitation = Static<typeof OpenInvitation>;

/** The body that accepts an invitation. */
export const InviteAcceptRequest = Closed(
  {
    token: Text(1, 200, {
      description:
        'The token of the invitation, `stoa_inv_...`, as the owner of the room gave it to you.',
      examples: ['stoa_inv_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG_aB3dE5'],
    }),
  },
  { title: 'InviteAcceptRequest' },
);

/** The path of an invitation that names the caller. */
export const invitationId = Closed({ id: Uuid({ description: 'The invitation.' }) });
