import type { Transaction } from '../../db/database.ts';
import { toIso } from '../clock.ts';
import type { NewId } from '../ids.ts';
import type { WriteContext } from '../operation/spec.ts';
import { createEffectCollector } from './collect-effects.ts';
import type { Environment } from './environment.ts';
import { flushEffects } from './group-commit/commit-effects.store.ts';

/** The context of a job's step: a transaction, and receipts of what the service itself does. */
export interface ServiceContext {
  readonly tx: Transaction;
  readonly newId: NewId;
  /** The time of the whole transaction. The clock is read once. */
  readonly now: string;
  readonly record: WriteContext['record'];
}

/** Runs a transaction of a job and commits the receipts that it records. */
export const runServiceTransaction = <Result>(
  { db, clock, newId, installation }: Pick<Environment, 'db' | 'clock' | 'newId' | 'installation'>,
  work: (context: ServiceContext) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    const now = toIso(clock());
    const effects = createEffectCollector(newId, installation, now);
    const result = await work({ tx, newId, now, record: effects.record });
    flushEffects(tx, [effects.build(effects.notices, null)]);
    return result;
  });
