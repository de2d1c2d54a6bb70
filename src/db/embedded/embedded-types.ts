/** What pg needs to connect. `host` is the folder of the unix socket; no password: only that folder's owner can reach it. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Where things live, for the start message. */
export interface Location {
  /** The cluster's folder (PGDATA). */
  readonly data: string;
  /** The folder with `postgres` and `initdb`. */
  readonly binaries: string;
  /** The folder of the unix socket. */
  readonly socket: string;
  /** The operating system's user as whom the database runs. */
  readonly user: string;
  /** The cluster is not under DATA_DIR, because `user` cannot enter that. */
  readonly relocated: boolean;
  readonly source: 'shipped' | 'system';
  /** PostgreSQL's own, such as `18.4`. */
  readonly version: string;
}

export type Log = (message: string, facts?: object) => void;
