import pg from 'pg';
import { clientConfig } from './client-config.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

const CHANNEL = 'stoa_news';
/** A payload may have 8,000 bytes; ids are 36 characters and a comma. */
const IDS_PER_NOTICE = 200;
const RECONNECT_MS = 500;
/** News of this long travel in one notice. Waiters of this process are woken at once; for those of others it is soon enough. */
const GATHER_MS = 10;

/** News between nodes: ids of agents that have something new. */
export interface Listener extends AsyncDisposable {
  /** Tells the other nodes, within some milliseconds. */
  broadcast(ids: readonly string[]): void;
}

/**
 * Hears what other nodes say through LISTEN and tells them through NOTIFY, outside of any post's transaction: NOTIFY
 * takes a lock over the whole database until its transaction has committed. A notice may be lost (a crash between commit
 * and notice, a broken connection); who waits therefore also looks by itself once a second.
 */
export function openListener(
  connection: Connection,
  db: Database,
  node: string,
  hear: (ids: string[]) => void,
  onError: (error: Error) => void,
): Listener {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set<string>();
  let telling: Promise<void> | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client(clientConfig(connection));
    const again = (error?: Error) => {
      if (closed || client !== next) return;
      if (error) onError(error);
      client = undefined;
      void next.end().catch(() => {});
      timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client = next;
    next.on('error', again);
    next.on('end', () => again());
    next.on('notification', ({ payload = '' }) => {
      const [from, ...ids] = payload.split(',');
      if (from !== node) hear(ids);
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      again(error as Error);
    }
  }

  async function tell(): Promise<void> {
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, IDS_PER_NOTICE);
      for (const id of ids) waiting.delete(id);
      await db.run(sql`SELECT pg_notify(${CHANNEL}, ${[node, ...ids].join(',')})`).catch(onError);
    }
    telling = undefined;
  }

  void connect();
  return {
    broadcast(ids) {
      for (const id of ids) waiting.add(id);
      telling ??= new Promise<void>((resolve) => setTimeout(resolve, GATHER_MS)).then(tell);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      await telling;
      await client?.end().catch(() => {});
    },
  };
}
