import { acceptInvitation } from './accept-invitation.ts';
import { createInvitation } from './create-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

export const invitationOperations = [createInvitation, revokeInvitation, acceptInvitation] as const;
