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

/** How `startEmbedded` starts the database. */
export interface StartOptions {
  /**
   * The database is in its subfolder `postgres`, or elsewhere if the database's user cannot enter
   * that; `location` says where.
   */
  readonly dataDir: string;
  readonly log: LogMessage;
  /**
   * For command-line tools. It uses the database of the running service; without a running service,
   * it starts the database itself, and `stop` stops it.
   */
  readonly attach?: boolean;
  /** A folder with `bin`, `lib` and `share` that replaces the npm package's. */
  readonly binaries?: string;
  /** The folder for databases that cannot be in DATA_DIR; by default `/var/lib/stoa`. */
  readonly elsewhere?: string;
  /** Is called when the server's process runs: other work can be done until it is ready. */
  readonly onSpawned?: (() => Promise<void>) | undefined;
}
