/** The store cannot answer now: unreachable, starting, stopping, out of space or connections. Worth a retry. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached or cannot accept work now.', { cause });
  }

  /** Whether the work was certainly undone; otherwise nobody knows. */
  get rolledBack(): boolean {
    return wasRolledBack(this.cause);
  }

  /** Whether it would have answered, but not within the time that a statement has. */
  get tookTooLong(): boolean {
    return codeOf(this.cause) === '57014';
  }
}

/** SQLSTATE of a PostgreSQL error, or a system error's code such as ECONNREFUSED; '' when there is none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The constraint that an error names, so that a store can tell which rule of the schema was broken. */
export function constraintOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'constraint' in error
    ? String(error.constraint)
    : undefined;
}

/** 23505: two transactions wanted the same unique value and this one came second. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint);

/** 40001 and 40P01: nothing is wrong with the work, it only met another transaction. Run it again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

const systemCodes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'ENOENT',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
]);

/** Whether PostgreSQL itself told of the failure and goes on: the transaction has then had no effect. */
export const wasRolledBack = (error: unknown): boolean =>
  /^(?!08|57P0)[0-9A-Z]{5}$/.test(codeOf(error)) && codeOf(error) !== '25P03';

/**
 * SQLSTATE classes 08 (connection), 53 (resources, a full disk among them), 57P0x (shutdown), 57014 (took too long), 55P03 (waited too long for
 * a row); 25006 after a failover.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08|53|57P0)/.test(code) || ['57014', '55P03', '25006', '25P03', '58030'].includes(code))
    return true;
  if (systemCodes.has(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|not queryable|Query read timeout/i.test(
      error.message,
    )
  );
}
