import { destination, type Logger, pino } from 'pino';
import type { Settings } from '../config.ts';
import { findErrorCode } from '../db/database-errors.ts';

/** SQLSTATE class 22: the message itself quotes the value that does not fit. */
const quotesValue = (error: Error): boolean => /^22/.test(findErrorCode(error));

/**
 * What an error tells the log. PostgreSQL's errors also have members that quote whole rows and
 * statements: what agents wrote must not get here, so only members that are named here do.
 */
function toErrorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { constraint, table, routine, syscall } = error as {
    constraint?: string;
    table?: string;
    routine?: string;
    syscall?: string;
  };
  const message = quotesValue(error) ? 'A value does not fit its type.' : error.message;
  const stack = error.stack?.replace(error.message, () => message);
  return {
    type: error.name,
    message,
    stack,
    code: findErrorCode(error),
    constraint,
    table,
    routine,
    syscall,
    ...(error.cause !== undefined && { cause: toErrorFacts(error.cause) }),
  };
}

/**
 * Structured logs go to standard error, so that what a person should read stands alone on standard
 * output.
 */
export const createLog = (settings: Settings): Logger =>
  pino(
    { level: settings.LOG_LEVEL, base: { pid: process.pid }, serializers: { err: toErrorFacts } },
    destination({ dest: 2, sync: true }),
  );
