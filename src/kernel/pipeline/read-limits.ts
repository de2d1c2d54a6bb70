import { DEEP_OFFSET, RowNotFound } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/database-errors.ts';
import { fail } from '../errors.ts';
import type { AnyOperation } from '../operation/any-operation.ts';
import { failUnknownRow } from '../operation/paging.ts';
import type { Environment } from './environment.ts';

/** The time limit of each statement of a list at a deep offset. */
const DEEP_READ_MS = 1_000;

/** How many reads at deep offsets may wait for their turn. */
const MAX_WAITING = 8;

const failTooDeep = () =>
  fail(
    'unavailable',
    'Pages this deep take too long by offset. Page with `before` instead, the id of the last row ' +
      'of your last page: it costs the same at any depth. The Link header has it.',
    { retryAfterSeconds: 1 },
  );

/** Whether a page begins so deep that finding its beginning may take long. */
const isDeep = (query: unknown): boolean =>
  Number((query as { readonly offset?: unknown } | undefined)?.offset ?? 0) > DEEP_OFFSET;

/** Whether the rows before an offset are walked. */
const walksToOffset = ({ query, offsetIsPosition }: AnyOperation): boolean => {
  const { properties = {} } = (query ?? {}) as { properties?: Readonly<Record<string, unknown>> };
  return 'offset' in properties && offsetIsPosition !== true;
};

/**
 * Runs the handler of a read within the limits of its cost. A list at a deep offset has a time
 * limit and few connections, so that many of them delay nobody but each other.
 * Errors: those of the handler; `unavailable` when a deep offset takes too long, and
 * `invalid_request` for a `before` that is not a row.
 */
export async function runWithinLimits<Result>(
  { db }: Environment,
  operation: AnyOperation & { readonly statementTimeoutMs?: number },
  query: unknown,
  read: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const { statementTimeoutMs } = operation;
  // An operation with a time limit of its own keeps it.
  const deep = statementTimeoutMs === undefined && isDeep(query) && walksToOffset(operation);
  if (deep && db.pool.deepWaitingCount > MAX_WAITING) throw failTooDeep();
  try {
    if (deep)
      return await db.transaction(read, { statementTimeoutMs: DEEP_READ_MS, isDeepRead: true });
    if (statementTimeoutMs === undefined) return await read(db);
    return await db.transaction(read, { statementTimeoutMs, genericPlans: true });
  } catch (error) {
    if (error instanceof RowNotFound) throw failUnknownRow();
    if (deep && error instanceof DatabaseUnavailable && error.timedOut) throw failTooDeep();
    throw error;
  }
}
