/**
 * SQL as composable fragments, in which values are always parameters and never text. `sql` is the
 * tag of sql-template-tag. A fragment has `.text` (with $1, $2, ...) and `.values`.
 */
export { default as sql, join, raw, type Sql } from 'sql-template-tag';
