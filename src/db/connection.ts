/** Where a PostgreSQL is: a connection string, or a folder with its unix socket. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };
