import { DEEP_OFFSET, RowNotFound } from '../../../db/cut-page.ts';
import type { Queryable, ReadQueue, TurnKind } from '../../../db/database.ts';
import type { Searcher } from '../../limits/slow-searches.ts';
import type { AnyOperation } from '../../operation/any-operation.ts';
import { failUnknownRow } from '../../operation/paging.ts';
import type { Spec } from '../../operation/spec.ts';
import type { Environment } from '../environment.ts';
import { isTimeout } from './is-timeout.ts';
import {
  failTooDeep,
  failTooManyFigures,
  failTooManyOfCaller,
  failTooManySearches,
  failTooSlow,
} from './read-refusals.ts';

/** The time limit of each statement of a list at a deep offset. */
const DEEP_READ_MS = 1_000;

/** How many reads at deep offsets may wait for their turn. */
const MAX_WAITING = 8;

/** How many reads of figures may wait for their turn, and before the first of another caller. */
const MAX_WAITING_FIGURES = 16;
const MAX_FIRST_FIGURES = 64;

/** How many searches may wait that are expected to be slow, of all callers. */
const MAX_WAITING_SLOW = 32;

/** A read before which fewer than these wait is not refused because of the load. */
const FEW_AHEAD = 4;

/** How many reads of one caller may wait for their turn, by their kind. */
const MAX_WAITING_OF_CALLER = { lists: 32, figures: 4, large: 8, slow: 8 } as const;

/** Asserts that a caller may have one more read of a kind waiting. Errors: `rate_limited`. */
export function assertMayWait(kind: keyof typeof MAX_WAITING_OF_CALLER, waiting: number): void {
  if (waiting >= MAX_WAITING_OF_CALLER[kind]) throw failTooManyOfCaller(waiting);
}

const toMembers = (query: unknown) => (query ?? {}) as Readonly<Record<string, unknown>>;

/** Whether a page begins so deep that finding its beginning may take long. */
const isDeep = (query: unknown): boolean => Number(toMembers(query).offset ?? 0) > DEEP_OFFSET;

type LimitedRead = AnyOperation &
  Pick<Spec, 'snapshot' | 'mayBeLarge' | 'figures'> & { readonly statementTimeoutMs?: number };

/** Whether an operation has a parameter of the query with this name. */
const hasParameter = ({ query }: AnyOperation, name: string): boolean => {
  const { properties = {} } = (query ?? {}) as { properties?: Readonly<Record<string, unknown>> };
  return name in properties;
};

/** Whether the rows before an offset are walked. */
const walksToOffset = (operation: AnyOperation): boolean =>
  hasParameter(operation, 'offset') && operation.offsetIsPosition !== true;

/**
 * Finds the queue in which a read waits for its turn, or null if it needs none. Lists do not use
 * the connections of searches: a caller may ask for far more of them.
 */
function findQueue(operation: LimitedRead, query: unknown): ReadQueue | null {
  const isLimited = operation.statementTimeoutMs !== undefined;
  if (isLimited && operation.figures) return 'figures';
  if (isLimited && operation.rate === 'searches') return 'long';
  if (isDeep(query) && walksToOffset(operation)) return 'deep';
  return isLimited ? 'lists' : null;
}

/** Whether the answer of a read may be very long. */
export function mayBeLarge(operation: Pick<Spec, 'mayBeLarge'>, query: unknown): boolean {
  const { mayBeLarge: decide = () => false } = operation;
  return decide === true || decide(toMembers(query));
}

/** Finds the kind of turn that a read without a time limit waits for, or null if it needs none. */
function findTurn(operation: LimitedRead, query: unknown): TurnKind | null {
  if (mayBeLarge(operation, query)) return 'large';
  // Pages for people have a turn of their own, which ends before they are rendered.
  if (operation.offsetIsPosition) return operation.kind === 'content' ? null : 'pages';
  // Events are cheap at any depth, and not worth a turn.
  return operation.snapshot || walksToOffset(operation) ? 'lists' : null;
}

/** Whether a read of a caller would wait for others of its own. */
export function waitsForOwn(
  { db }: Environment,
  operation: LimitedRead,
  caller: string,
  query: unknown,
): boolean {
  const queue = findQueue(operation, query);
  if (queue !== null) return db.waitsForOwnReads(queue, caller);
  const turn = findTurn(operation, query);
  return turn !== null && db.waitsForOwnTurns(turn, caller);
}

/**
 * Runs the handler of a caller's read within the limits of its cost. A list at a deep offset has a
 * time limit and few connections, so that many of them delay nobody but each other.
 * Errors: those of the handler; `unavailable` when a deep offset or a search takes too long or too
 * many searches wait, `rate_limited` when the caller has too many reads waiting, and
 * `invalid_request` for a `before` that is not a row.
 */
export async function runWithinLimits<Result>(
  { db, searches, slowSearches }: Environment,
  operation: LimitedRead,
  searcher: Searcher,
  query: unknown,
  read: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const { name: caller } = searcher;
  const usual = findQueue(operation, query);
  const isSearch = usual === 'long' && hasParameter(operation, 'q');
  const queue = isSearch && slowSearches.isSlow(caller) ? 'slow' : usual;
  if (queue === 'deep' && db.countWaitingReads(queue) > MAX_WAITING) throw failTooDeep();
  // Whoever is soon next is not refused because of those who wait behind it.
  const isNear = () => queue !== null && db.countReadsAhead(queue, caller) < FEW_AHEAD;
  if (queue === 'figures') {
    // Callers take turns, so a few with many reads refuse nobody who has none waiting.
    const isFirst = db.countWaitingReads(queue, caller) === 0;
    const most = isFirst ? MAX_FIRST_FIGURES : MAX_WAITING_FIGURES;
    if (db.countWaitingReads(queue) >= most) throw failTooManyFigures();
  }
  if (queue === 'lists' || queue === 'figures')
    assertMayWait(queue, db.countWaitingReads(queue, caller));
  // Slow ones are not counted among the others, who would be refused because of them.
  if (queue === 'slow') {
    assertMayWait(queue, db.countWaitingReads(queue, caller));
    const isFull = db.countWaitingReads(queue) >= MAX_WAITING_SLOW;
    if (isFull && !isNear()) throw failTooManySearches();
  }
  if (queue === 'long' && !isNear() && searches.mustRefuse(caller)) throw failTooManySearches();
  const search = queue === 'long' ? searches.begin(caller) : null;
  const readTimed = async (tx: Queryable) => {
    const end = slowSearches.begin(searcher);
    let timedOut = false;
    try {
      return await read(tx);
    } catch (error) {
      timedOut = isTimeout(error);
      throw error;
    } finally {
      end(timedOut);
    }
  };
  const { statementTimeoutMs = DEEP_READ_MS } = operation;
  const genericPlans = operation.statementTimeoutMs !== undefined;
  try {
    if (queue !== null)
      return await db.transaction(isSearch ? readTimed : read, {
        statementTimeoutMs,
        genericPlans,
        queue,
        caller,
      });
    const run = () => (operation.snapshot ? db.transaction(read, { isSnapshot: true }) : read(db));
    const turn = findTurn(operation, query);
    if (turn === 'large') assertMayWait(turn, db.countWaitingTurns(turn, caller));
    return await (turn === null ? run() : db.readInTurn(turn, run, caller));
  } catch (error) {
    if (error instanceof RowNotFound) throw failUnknownRow();
    if (isTimeout(error)) {
      if (queue === 'deep') throw failTooDeep();
      if (isSearch) throw failTooSlow();
    }
    throw error;
  } finally {
    search?.end();
  }
}
