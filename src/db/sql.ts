import { Sql } from 'sql-template-tag';

/**
 * SQL as composable fragments, in which values are always parameters and never text. `sql` is the
 * tag of sql-template-tag. A fragment has `.text` (with $1, $2, ...) and `.values`.
 */
export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

/** The types that `unnestRows` has columns of. */
type ColumnType =
  | 'bigint'
  | 'boolean'
  | 'bytea'
  | 'int'
  | 'jsonb'
  | 'smallint'
  | 'text'
  | 'timestamptz'
  | 'uuid';

/** A column: its type, and how to read it from a row. */
type Column<Row> = readonly [type: ColumnType, read: (row: Row) => unknown];

/**
 * Builds `unnest(...)`, which gives rows to one statement as one array per column. Any number of
 * rows makes the same text, so PostgreSQL keeps one prepared plan.
 */
export const unnestRows = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Sql =>
  new Sql(
    [
      'unnest(',
      ...columns.slice(1).map((_, nr) => `::${columns[nr]?.[0]}[], `),
      `::${columns.at(-1)?.[0]}[])`,
    ],
    columns.map(([, read]) => rows.map(read)),
  );
