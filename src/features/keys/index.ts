import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { revokeCurrentKey } from './revoke-current-key.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

export const keyOperations = [rotateKey, revokeCurrentKey, listKeys, createKey, revokeKey] as const;
