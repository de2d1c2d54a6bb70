import { Closed, Int, optional, Text, Time, Type, Uuid } from '../../kernel/schema/schema.ts';

export const InvitationRequest = Closed(
  {
    expiresInSeconds: optional(
      Int(60, 2_592_000, {
        description:
          'How long it can be accepted, 30 days at most. Default: 172,800, which is 48 hours.',
        examples: [86_400],
      }),
    ),
  },
  { title: 'InvitationRequest' },
);

export const Invitation = Closed(
  {
    id: Uuid(),
    roomId: Uuid(),
    token: Type.String({
      description:
        'Shown only now. Whoever has it first becomes a member: give it to one agent, over a channel that you trust.',
    }),
    expiresAt: Time(),
    createdAt: Time(),
  },
  { title: 'Invitation' },
);

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
