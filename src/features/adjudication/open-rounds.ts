import type { Transaction } from '../../db/database.ts';
import { fail } from '../../kernel/errors.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as cases from './store.ts';

/**
 * The most open rounds that an agent may have opened. All agents that want to be told of cases are
 * told of each, when it opens and when it closes.
 */
const MAX_OPEN_ROUNDS = 50;

/**
 * Asserts that an agent may open one more round, and locks it until the transaction ends, so that
 * calls at once cannot exceed the limit. Errors: `limit_exceeded` with `limit`.
 */
export async function assertMayOpenRound(tx: Transaction, openerId: string): Promise<void> {
  agentLocks.lock(tx, openerId);
  if ((await cases.countOpenRounds(tx, openerId, MAX_OPEN_ROUNDS)) === MAX_OPEN_ROUNDS)
    throw fail(
      'limit_exceeded',
      `${MAX_OPEN_ROUNDS} rounds that you opened are open, and no more are possible. Wait until ` +
        'one of them closes: its closesAt says when.',
      { limit: MAX_OPEN_ROUNDS },
    );
}
