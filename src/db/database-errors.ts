/**
 * The database cannot answer now: it is unreachable, starting, stopping, or out of space or
 * connections. A retry may succeed.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached or cannot accept work now.', { cause });
  }

  /** Whether the work was certainly rolled back. If false, its outcome is unknown. */
  get rolledBack(): boolean {
    return wasRolledBack(this.cause);
  }

  /** Whether a statement exceeded its time limit. */
  get timedOut(): boolean {
    return findErrorCode(this.cause) === '57014';
  }
}

/** Finds the SQLSTATE of a PostgreSQL error or the code of a system error; '' when it has none. */
export function findErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Finds the constraint that an error names, which shows the rule of the schema that was broken. */
export function findConstraint(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'constraint' in error
    ? String(error.constraint)
    : undefined;
}

/** Whether another transaction inserted the same unique value first (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  findErrorCode(error) === '23505' &&
  (constraint === undefined || findConstraint(error) === constraint);

/**
 * Whether the transaction only conflicted with another one, by serialization (40001) or a deadlock
 * (40P01), and can be run again.
 */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(findErrorCode(error));

/** Codes of system errors that mean that the database is unreachable. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Codes of single conditions, beside the classes. */
const unavailableCodes = new Set(['57014', '55P03', '25006', '25P03', '40003', '58030']);

/** Messages of the driver's own errors, which have no code. */
const driverMessages = new RegExp(
  [
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'not queryable',
    'Query read timeout',
  ].join('|'),
  'i',
);

/**
 * Whether PostgreSQL itself reported the failure and keeps running. The transaction then had no
 * effect.
 */
export const wasRolledBack = (error: unknown): boolean =>
  /^(?!08|57P0)[0-9A-Z]{5}$/.test(findErrorCode(error)) &&
  !['25P03', '40003'].includes(findErrorCode(error));

/**
 * Whether the database cannot answer now: SQLSTATE classes 08 (connection), 53 (resources,
 * including a full disk) and 57P0x (shutdown), and the codes 57014 (statement timeout), 55P03 (lock
 * timeout), 25006 (read-only after a failover), 25P03 (idle transaction), 40003 (a commit that a
 * failover would lose) and 58030 (I/O error).
 */
export function isUnavailable(error: unknown): boolean {
  const code = findErrorCode(error);
  if (/^(08|53|57P0)/.test(code) || unavailableCodes.has(code)) return true;
  if (systemCodes.has(code)) return true;
  return error instanceof Error && driverMessages.test(error.message);
}
