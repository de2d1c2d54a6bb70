import type { Transaction } from '../../db/database.ts';
import { toIso } from '../clock.ts';
import { listAddressees } from '../effects.ts';
import type { NewId } from '../ids.ts';
import type { WriteContext } from '../operation/spec.ts';
import { createEffectCollector } from './collect-effects.ts';
import type { Environment } from './environment.ts';
import { flushEffects } from './group-commit/commit-effects.store.ts';
import { dropMutedNotices } from './group-commit/drop-muted-notices.ts';

/**
 * The context of a job's step: a transaction, and receipts and events of what the service itself
 * does.
 */
export interface ServiceContext {
  readonly tx: Transaction;
  readonly newId: NewId;
  /** The time of the whole transaction. The clock is read once. */
  readonly now: string;
  readonly record: WriteContext['record'];
  readonly notify: WriteContext['notify'];
  readonly wake: WriteContext['wake'];
}

/** What a job's transaction needs of the environment. */
export type ServiceEnvironment = Pick<
  Environment,
  'db' | 'clock' | 'newId' | 'installation' | 'hub'
>;

/** Runs a transaction of a job, commits its receipts and events, and wakes their addressees. */
export async function runServiceTransaction<Result>(
  { db, clock, newId, installation, hub }: ServiceEnvironment,
  work: (context: ServiceContext) => Promise<Result>,
): Promise<Result> {
  const { result, notices, topics } = await db.transaction(async (tx) => {
    const now = toIso(clock());
    const effects = createEffectCollector(newId, installation, now);
    const { record, notify, wake, topics } = effects;
    const result = await work({ tx, newId, now, record, notify, wake });
    const notices = await dropMutedNotices(tx, effects.notices);
    flushEffects(tx, [effects.build(notices, null)]);
    return { result, notices, topics };
  });
  hub.publish([...listAddressees(notices), ...topics]);
  return result;
}
