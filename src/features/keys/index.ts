import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { revokeCurrentKey } from './revoke-current-key.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { showCredentials } from './show-credentials.ts';

export const keyOperations = [
  rotateKey,
  revokeCurrentKey,
  listKeys,
  createKey,
  revokeKey,
  showCredentials,
] as const;
