import { type HostList, parseHostList } from './host-list.ts';

/** The address of a PostgreSQL: a connection string, or the folder of its unix socket. */
export type Connection =
  | {
      connectionString: string;
      /** The servers, where the address has several. Everybody who connects shares the list. */
      hosts?: HostList | null;
    }
  | { host: string; port: number; user: string; database: string };

/** Returns the servers of a connection, or null where it has one. */
export const getHosts = (connection: Connection): HostList | null =>
  ('connectionString' in connection && connection.hosts) || null;

/** Reads an address of the settings, which may have several hosts. */
export function toConnection(address: string): Connection {
  const hosts = parseHostList(address);
  return hosts ? { connectionString: hosts.current, hosts } : { connectionString: address };
}
