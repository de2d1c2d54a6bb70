import { toIso } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import * as clients from './clients.store.ts';
import { FORGET_DAYS } from './rules.ts';
import { deleteSpent } from './spent-sign-ins.store.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Forgets clients without a consent, and grants, codes and tokens a day after their end. */
export async function forgetClients({
  db,
  clock,
}: Pick<Environment, 'db' | 'clock'>): Promise<void> {
  const at = clock();
  await deleteSpent(db, toIso(at - DAY_MS));
  await clients.deleteIdle(db, toIso(at - FORGET_DAYS * DAY_MS));
}
