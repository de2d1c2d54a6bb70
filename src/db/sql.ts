/**
 * SQL as composable fragments: values are always parameters, never text.
 * `sql` is sql-template-tag's tag; a fragment has `.text` (with $1, $2, ...) and `.values`.
 */
export { default as sql, join, raw, type Sql } from 'sql-template-tag';
