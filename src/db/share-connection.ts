import type pg from 'pg';
import { isUnavailable } from './database-errors.ts';

interface Lease {
  readonly connecting: Promise<pg.PoolClient>;
  users: number;
  isBroken: boolean;
}

/**
 * Returns what sends statements over one connection of a pool, those that overlap one behind the
 * other without waiting for results. Statements of one turn of the event loop then wake the server
 * once, which costs both sides more than a short statement itself. The connection goes back to the
 * pool when nothing is under way.
 */
export function shareConnection(pool: pg.Pool): (query: pg.QueryConfig) => Promise<pg.QueryResult> {
  let lease: Lease | null = null;

  function leave(left: Lease, client: pg.PoolClient | null): void {
    left.users -= 1;
    if (lease === left && (left.users === 0 || left.isBroken)) lease = null;
    if (left.users === 0) client?.release(left.isBroken);
  }

  return async (query) => {
    lease ??= { connecting: pool.connect(), users: 0, isBroken: false };
    const taken = lease;
    taken.users += 1;
    let client: pg.PoolClient | null = null;
    try {
      client = await taken.connecting;
      return await client.query(query);
    } catch (error) {
      taken.isBroken ||= client === null || isUnavailable(error);
      throw error;
    } finally {
      leave(taken, client);
    }
  };
}
