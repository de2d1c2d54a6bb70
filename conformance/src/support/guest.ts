import { randomBytes } from 'node:crypto';

/** Makes the credential of a new guest context. */
export const createContextKey = (): string => randomBytes(32).toString('hex');
