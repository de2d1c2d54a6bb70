import type pg from 'pg';
import { buildClientConfig } from './client-config.ts';
import { type Connection, getHosts } from './connection.ts';
import { createClient, getSocket } from './create-client.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

const CHANNEL = 'stoa_news';
/** A payload has less than 8,000 bytes. Ids and topics are ASCII. */
const MAX_PAYLOAD = 7_900;
const RECONNECT_MS = 500;
/**
 * The ids of this time span travel in one notification. The waiters of this process are woken
 * immediately; for those of other processes the delay does not matter.
 */
const BATCH_WAIT_MS = 10;

/** Sends the ids of agents with new events to other nodes. */
export interface Listener extends AsyncDisposable {
  /** Sends ids to the other nodes within some milliseconds. */
  broadcast(ids: readonly string[]): void;
}

/**
 * Receives ids from other nodes through LISTEN and sends ids through NOTIFY. NOTIFY locks the whole
 * database until its transaction has committed, so it runs outside of posts' transactions. A
 * notification may be lost (by a crash after the commit, or a broken connection). Waiters therefore
 * also check once a second.
 */
export function openListener(
  connection: Connection,
  db: Database,
  node: string,
  receive: (ids: string[]) => void,
  onError: (error: Error) => void,
): Listener {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set<string>();
  let notifying: Promise<void> | undefined;

  async function connect(): Promise<void> {
    const next = createClient(connection, buildClientConfig(connection));
    const reconnect = (error?: Error) => {
      if (closed || client !== next) return;
      if (error) onError(error);
      client = undefined;
      void next.end().catch(() => {});
      timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client = next;
    next.on('error', reconnect);
    next.on('end', () => reconnect());
    next.on('notification', ({ payload = '' }) => {
      const [from, ...ids] = payload.split(',');
      if (from !== node) receive(ids);
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      reconnect(error as Error);
    }
  }

  async function notifyNodes(): Promise<void> {
    while (waiting.size > 0) {
      let payload = node;
      for (const id of waiting) {
        if (payload !== node && payload.length + id.length >= MAX_PAYLOAD) break;
        payload += `,${id}`;
        waiting.delete(id);
      }
      await db.run(sql`SELECT pg_notify(${CHANNEL}, ${payload})`).catch(onError);
    }
    notifying = undefined;
  }

  // Nothing comes from a server that froze, and nothing tells a quiet one from it.
  getHosts(connection)?.onGiveUp(() => client && getSocket(client).destroy());
  void connect();
  return {
    broadcast(ids) {
      for (const id of ids) waiting.add(id);
      notifying ??= new Promise<void>((resolve) => setTimeout(resolve, BATCH_WAIT_MS)).then(
        notifyNodes,
      );
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      await notifying;
      await client?.end().catch(() => {});
    },
  };
}
