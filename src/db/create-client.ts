import type { Socket } from 'node:net';
import pg from 'pg';
import { type Connection, getHosts } from './connection.ts';
import type { HostList } from './host-list.ts';

/** The error of a server that takes no writes: a standby, or a primary that is no longer one. */
class ReadOnlyServer extends Error {
  readonly code = '25006';
  constructor() {
    super('The server takes no writes.');
  }
}

type Callback = (error?: Error) => void;

/** Makes an address that names the current server of the list, with the options of another one. */
function toCurrent(hosts: HostList, { connectionString }: pg.ClientConfig): string {
  const url = new URL(connectionString ?? hosts.current);
  const { hostname, port } = new URL(hosts.current);
  url.hostname = hostname;
  url.port = port;
  return url.href;
}

/**
 * Creates the class of clients that connect to the current server of a list. A server that does not
 * answer, or takes no writes, is left for the next one: whoever connects next tries that.
 */
function createClientClass(hosts: HostList): typeof pg.Client {
  return class ListClient extends pg.Client {
    readonly #address: string;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: toCurrent(hosts, config) });
      this.#address = hosts.current;
      this.on('error', () => hosts.leave(this.#address));
    }

    override connect(): Promise<this>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<this> | undefined {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      connected.then(() => callback(), callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<this> {
      try {
        await super.connect();
        const { rows } = await this.query('SHOW transaction_read_only');
        if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServer();
        return this;
      } catch (error) {
        // The driver gives its timeouts no code.
        if (/timeout/.test((error as Error).message)) hosts.leaveSilent(this.#address);
        else hosts.leave(this.#address);
        await this.end().catch(() => {});
        throw error;
      }
    }
  } as typeof pg.Client;
}

const classes = new WeakMap<HostList, typeof pg.Client>();

/** Returns the socket of a client, to send what it has or to break it off. */
export const getSocket = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Returns the class of clients of a connection, for a pool. */
export function getClientClass(connection: Connection): typeof pg.Client {
  const hosts = getHosts(connection);
  if (!hosts) return pg.Client;
  const known = classes.get(hosts) ?? createClientClass(hosts);
  classes.set(hosts, known);
  return known;
}

/**
 * Opens something at the current server of a connection, or at the next ones while they refuse.
 * Errors: those of the last attempt.
 */
export async function tryServers<Opened>(
  connection: Connection,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const hosts = getHosts(connection);
  for (let tries = 1; ; tries++) {
    try {
      return await open();
    } catch (error) {
      if (tries >= (hosts?.size ?? 1)) throw error;
    }
  }
}

/** Creates a client of a connection, which is not connected yet. */
export const createClient = (connection: Connection, config: pg.ClientConfig): pg.Client =>
  new (getClientClass(connection))(config);

/** Creates a client and connects it. Errors: those of the driver. */
export const openClient = (connection: Connection, config: pg.ClientConfig): Promise<pg.Client> =>
  tryServers(connection, async () => {
    const client = createClient(connection, config);
    client.on('error', () => {});
    await client.connect();
    return client;
  });
