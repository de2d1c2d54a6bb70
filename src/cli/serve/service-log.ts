import { type Logger, pino } from 'pino';
import type { Settings } from '../../config.ts';
import { findErrorCode } from '../../db/database-errors.ts';
import { createLogDestination } from './log-destination.ts';
import { createTerminalLog } from './terminal-log.ts';

/** Whether the message of an error quotes the invalid value (SQLSTATE class 22). */
const quotesValue = (error: Error): boolean => /^22/.test(findErrorCode(error));

/**
 * Returns the members of an error that may be logged. PostgreSQL's errors also have members that
 * quote whole rows and statements. Texts of agents must not get into the log, so all other members
 * are left out.
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
 * Creates the structured log of the service. It goes to standard error, so that standard output
 * contains only what a person should read: JSON for programs, short lines for a terminal.
 */
export const createLog = (
  settings: Settings,
  isTerminal: boolean = process.stderr.isTTY === true,
): Logger =>
  pino(
    { level: settings.LOG_LEVEL, base: { pid: process.pid }, serializers: { err: toErrorFacts } },
    isTerminal ? createTerminalLog() : createLogDestination(),
  );
