import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../src/db/sql.ts';
import * as agentLocks from '../../../src/features/agents/locks.store.ts';
import * as keys from '../../../src/features/keys/store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import type { TestApp } from '../../support/app.ts';

/**
 * Does something with a key of an agent while a recovery of the agent is under way: it has ended
 * the keys and looked for all that it must end, but not committed.
 */
export async function actDuringRecovery<Result>(
  { app }: TestApp,
  agentId: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const { db, clock } = app.env;
  const isWaiting = () =>
    db.first(sql`
      SELECT 1
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `);
  const [acting] = await db.transaction(async (tx) => {
    agentLocks.lock(tx, agentId);
    await keys.revokeAll(tx, agentId, toIso(clock()));
    let isOver = false;
    const acting = act().finally(() => {
      isOver = true;
    });
    while (!isOver && !(await isWaiting())) await sleep(5);
    return [acting];
  });
  return acting as Promise<Result>;
}
