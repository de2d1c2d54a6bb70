import { createRegistrationToken } from './create-registration-token.ts';
import { listRegistrationTokens } from './list-registration-tokens.ts';
import { revokeRegistrationToken } from './revoke-registration-token.ts';

export const registrationTokenOperations = [
  createRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
] as const;
