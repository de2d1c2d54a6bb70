import type { Transaction } from '../../../db/database.ts';
import { insufficientFundsError } from '../../credits/rules.ts';
import * as credits from '../../credits/subsidies.store.ts';
import * as groups from '../../identity/operator-groups.store.ts';
import * as balances from '../../ledger/balances.store.ts';
import { type Grant, mayFund, notFundedError } from './grants.rules.ts';
import * as grantStore from './grants.store.ts';

/** A task to be funded with trial units. */
interface FundingRequest {
  readonly ownerId: string;
  readonly amount: number;
  readonly now: string;
}

/**
 * Finds the grants that have enough units for a task left within their limits, and returns how to
 * lock one of them until the commit and get its id: the one that expires first. Call that just
 * before the ledger's accounts are locked, because tasks of all others wait for the lock. Grants
 * are always locked in that order, so two tasks cannot deadlock. Errors of both:
 * `insufficient_funds`, `limit_exceeded` with `limit` and `reason`.
 */
export async function findGrants(
  tx: Transaction,
  { ownerId, amount, now }: FundingRequest,
): Promise<() => Promise<string>> {
  const [accounts, subsidies, related] = await Promise.all([
    balances.listBalances(tx, ownerId),
    credits.listOpenSubsidies(tx, now),
    groups.listRelated(tx, ownerId),
  ]);
  const trial =
    accounts.find(({ unit, purpose }) => unit === 'trial' && purpose === 'available')?.balance ?? 0;
  if (trial < amount)
    throw insufficientFundsError(
      `You have ${trial} trial units available, but reward x slots is ${amount}. Lower the ` +
        'reward or the number of slots, or use earned units.',
    );
  const loadGrants = async (found: typeof subsidies): Promise<Grant[]> => {
    const ids = found.map(({ id }) => id);
    const usage = new Map(
      (await grantStore.listGrantUsage(tx, ids, related, now)).map((one) => [one.id, one]),
    );
    return found.map((one) => ({ ...one, usedByOperator: 0, usedToday: 0, ...usage.get(one.id) }));
  };
  const grants = await loadGrants(subsidies);
  const candidates = [...grants.entries()].filter(([, grant]) => mayFund(grant, amount));
  if (candidates.length === 0) throw notFundedError(grants, amount);
  return async () => {
    for (const [index, { id }] of candidates) {
      // The grant is checked again under its lock, because other tasks may have used it.
      const [locked] = await loadGrants([await credits.lockSubsidy(tx, id)]);
      if (!locked) continue;
      if (mayFund(locked, amount)) return id;
      grants[index] = locked;
    }
    throw notFundedError(grants, amount);
  };
}
