import type pg from 'pg';
import { buildClientConfig } from './client-config.ts';
import { type Connection, getHosts } from './connection.ts';
import { createClient, getSocket } from './create-client.ts';
import type { HostList } from './host-list.ts';

/** How often the server is asked, and how long it may take to answer, in milliseconds. */
const LOOK_MS = 1_000;
const LATE_MS = 2_000;

const doNothing = () => {};

interface Session {
  readonly client: pg.Client;
  /** Whether the server ended it, or the way there broke. */
  isBroken: boolean;
}

/** Connects to the current server of a list. Errors: those of the driver, also for a standby. */
async function openSession(connection: Connection): Promise<Session> {
  const config = buildClientConfig(connection, { statementMs: LATE_MS });
  const client = createClient(connection, { ...config, query_timeout: LATE_MS });
  client.on('error', doNothing);
  try {
    await client.connect();
    const session = { client, isBroken: false };
    client.once('end', () => {
      session.isBroken = true;
    });
    return session;
  } catch (error) {
    getSocket(client).destroy();
    throw error;
  }
}

async function takesWrites({ client }: Session): Promise<boolean> {
  const answer = await client.query('SHOW transaction_read_only').catch(() => null);
  return answer?.rows[0]?.transaction_read_only === 'off';
}

/** Asks the current server of a list until it is stopped, and gives up one that fails twice. */
function watchHosts(connection: Connection, hosts: HostList): Disposable {
  let session: Session | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    if (session) getSocket(session.client).destroy();
    session = null;
  };

  async function look(): Promise<void> {
    if (session && (await takesWrites(session))) return;
    // Where a connection broke, those of everybody else did, and they may be elsewhere by now.
    const wasSilent = session?.isBroken === false;
    const address = hosts.current;
    close();
    session = await openSession(connection).catch(() => null);
    if (!session && wasSilent && !isStopped) hosts.giveUp(address);
  }

  async function lookAgain(): Promise<void> {
    await look();
    if (isStopped) return close();
    timer = setTimeout(() => void lookAgain(), session ? LOOK_MS : LOOK_MS / hosts.size);
    timer.unref();
  }

  void lookAgain();
  return {
    [Symbol.dispose]() {
      isStopped = true;
      clearTimeout(timer);
      close();
    },
  };
}

/**
 * Watches the server that is used, where the address has several. A machine that froze or was cut
 * off answers nothing, and whoever waits for it waits as long as a statement may take. Once it does
 * not answer, or takes no writes any more, its connections are closed, and everybody goes on to the
 * next server.
 */
export function watchServer(connection: Connection): Disposable {
  const hosts = getHosts(connection);
  return hosts ? watchHosts(connection, hosts) : { [Symbol.dispose]: doNothing };
}
