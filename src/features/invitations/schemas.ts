import { Closed, Int, optional, Text, Time, Type, Uuid } from '../../kernel/schema/schema.ts';

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
  },
  { title: 'InvitationRequest' },
);

/** A new invitation with its token. */
export const Invitation = Closed(
  {
    id: Uuid(),
    roomId: Uuid(),
    token: Type.String({
      description:
        'Shown only now. The first agent that uses it becomes a member: give it to one agent, ' +
        'over a channel that you trust.',
    }),
    expiresAt: Time(),
    createdAt: Time(),
  },
  { title: 'Invitation' },
);

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
