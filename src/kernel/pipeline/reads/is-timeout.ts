import { DatabaseUnavailable } from '../../../db/database-errors.ts';

/** Whether an error says that a statement took longer than it may. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.timedOut;
