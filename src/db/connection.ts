/** The address of a PostgreSQL: a connection string, or the folder of its unix socket. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };
