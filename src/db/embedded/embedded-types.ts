/**
 * The options with which pg connects. `host` is the folder of the unix socket. No password is
 * needed, because only the folder's owner can reach the socket.
 */
export interface SocketConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Where the database's parts are, for the message at startup. */
export interface ServerLocation {
  /** The cluster's folder (PGDATA). */
  readonly data: string;
  /** The folder with `postgres` and `initdb`. */
  readonly binaries: string;
  /** The folder of the unix socket. */
  readonly socket: string;
  /** The operating system's user that the database runs as. */
  readonly user: string;
  /** Whether the cluster is outside DATA_DIR, because `user` cannot enter that. */
  readonly relocated: boolean;
  readonly source: 'shipped' | 'system';
  /** PostgreSQL's version, such as `18.4`. */
  readonly version: string;
}

/** Logs one message; `facts` become members of the log line. */
export type LogMessage = (message: string, facts?: object) => void;
