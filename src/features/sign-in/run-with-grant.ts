import type { Transaction } from '../../db/database.ts';
import { toIso } from '../../kernel/clock.ts';
import * as agentLocks from '../agents/locks.store.ts';
import type { TokenEnvironment } from './issue-tokens.ts';
import * as grants from './sign-in-grants.store.ts';

/** Locks the agent of a grant, then the grant: the order in which all ends of keys lock. */
async function lockGrant(
  tx: Transaction,
  { id, agentId }: grants.GrantRow,
): Promise<grants.GrantRow | undefined> {
  agentLocks.lock(tx, agentId);
  return grants.lock(tx, id);
}

/**
 * Runs `work` in a transaction that has locked a grant. It takes the turn of the grant's agent,
 * because whoever has a secret of the grant acts for that agent. Only a secret that works gets as
 * far, or a used one whose grant has not ended: any other costs a read, and its agent nothing. The
 * grant may have changed since it was looked up, so `work` decides by the locked one (undefined if
 * it was deleted). Errors: those of `work`; DatabaseUnavailable when others keep a lock for more
 * than five seconds.
 */
export const runWithGrant = <Result>(
  { db, clock }: TokenEnvironment,
  known: grants.GrantRow,
  work: (tx: Transaction, grant: grants.GrantRow | undefined, now: string) => Promise<Result>,
): Promise<Result> =>
  db.transaction(
    async (tx) => {
      const now = toIso(clock());
      return work(tx, await lockGrant(tx, known), now);
    },
    { lockTimeoutMs: 5_000, caller: known.agentId },
  );
