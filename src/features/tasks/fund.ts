import type { Transaction } from '../../db/database.ts';
import { insufficientFunds } from '../credits/rules.ts';
import * as credits from '../credits/store.ts';
import * as groups from '../identity/operator-groups.store.ts';
import * as ledger from '../ledger/store.ts';
import { type Grant, mayFund, notFunded } from './grants.rules.ts';
import * as tasks from './store.ts';

/** What is to be paid for with trial units, by whom. */
interface Ask {
  readonly ownerId: string;
  readonly amount: number;
  readonly now: string;
}

/**
 * The grant that a task gets its units of, held until the commit: the first, of those that expire first, with enough left within its limits. Grants are always
 * locked in that order, so no two tasks wait for each other in a circle. Errors: `insufficient_funds`, `limit_exceeded` with `limit`.
 */
export async function chooseGrant(tx: Transaction, { ownerId, amount, now }: Ask): Promise<string> {
  const [accounts, subsidies, related] = await Promise.all([
    ledger.listBalances(tx, ownerId),
    credits.listOpenSubsidies(tx, now),
    groups.listRelated(tx, ownerId),
  ]);
  const trial =
    accounts.find(({ unit, purpose }) => unit === 'trial' && purpose === 'available')?.balance ?? 0;
  if (trial < amount)
    throw insufficientFunds(
      `You have ${trial} trial units available, and reward x slots is ${amount}. Ask for less, or use earned units.`,
    );
  const since = `${now.slice(0, 10)}T00:00:00.000Z`;
  const grantsOf = async (found: typeof subsidies): Promise<Grant[]> => {
    const ids = found.map(({ id }) => id);
    const usage = new Map(
      (await tasks.usageOf(tx, ids, related, since)).map((one) => [one.id, one]),
    );
    return found.map((one) => ({ ...one, usedByOperator: 0, usedToday: 0, ...usage.get(one.id) }));
  };
  const grants = await grantsOf(subsidies);
  for (const [index, { id }] of [...grants.entries()].filter(([, grant]) =>
    mayFund(grant, amount),
  )) {
    const [held] = (await grantsOf([await credits.lockSubsidy(tx, id)])) as [Grant];
    if (mayFund(held, amount)) return id;
    grants[index] = held;
  }
  throw notFunded(grants, amount);
}
