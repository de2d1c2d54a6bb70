import { acceptInvitation } from './accept-invitation.ts';
import { acceptNamedInvitation } from './accept-named-invitation.ts';
import { createInvitation } from './create-invitation.ts';
import { declineInvitation } from './decline-invitation.ts';
import { listInvitations } from './list-invitations.ts';
import { listMyInvitations } from './list-my-invitations.ts';
import { revokeInvitation } from './revoke-invitation.ts';

export const invitationOperations = [
  createInvitation,
  listInvitations,
  revokeInvitation,
  acceptInvitation,
  listMyInvitations,
  acceptNamedInvitation,
  declineInvitation,
] as const;
