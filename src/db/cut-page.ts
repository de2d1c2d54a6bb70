import type { Queryable } from './database.ts';
import { join, type Sql, sql } from './sql.ts';

/** The rows of a list, in the order of a key. */
export interface ListOrder {
  /** The table of the rows, without an alias. */
  readonly table: string;
  /** The columns of the order, newest first: the last one makes the key unique. */
  readonly key: readonly Sql[];
  /**
   * What an index has in place of the whole key: a column, and its value for the first column of a
   * key. Rows in the order of the key are in the order of this column as well.
   */
  readonly coarse?: { readonly column: Sql; readonly valueFor: (first: Sql) => Sql };
  /** Whether the smallest key comes first. */
  readonly ascending?: boolean;
  /**
   * FROM and WHERE that find the row with an id, if the reader may know of it. A row that it may
   * not know of must look like one that does not exist.
   */
  readonly findRow: (id: string) => Sql;
}

/** A part of a list. */
interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** The id of the row after which the part begins. */
  readonly before?: string | undefined;
  /** The first column of that row's key when the reader saw it, if it may have changed since. */
  readonly beforeAt?: string | undefined;
}

/** The parts of a statement that cut a page out of a list. */
interface PageCut {
  /** A condition: the row comes after the one of `before`. */
  readonly after: Sql;
  readonly orderBy: Sql;
  /** LIMIT and OFFSET. */
  readonly limit: Sql;
}

/** The row of `before` does not exist, or the reader may not know of it. */
export class RowNotFound extends Error {
  override readonly name = 'RowNotFound';
}

/** Beyond this offset, a list asks first whether it can be that long. */
export const DEEP_OFFSET = 1_000;

/** The smallest size of a row on disk without its columns: the header and its pointer. */
const ROW_OVERHEAD_BYTES = 28;

/**
 * Returns more rows than a table can have: its size on disk divided by the least that a row takes,
 * the columns of a fixed size that are never null. It reads no row.
 */
const boundRowCount = async (db: Queryable, table: string): Promise<number> =>
  (
    await db.first<{ bound: number }>(sql`
      SELECT ceil(
        pg_relation_size(${table}::regclass)::numeric / (${ROW_OVERHEAD_BYTES}::int + sum(attlen))
      )::bigint AS bound
      FROM pg_attribute
      WHERE attrelid = ${table}::regclass AND attnum > 0 AND attnotnull AND attlen > 0
    `)
  )?.bound ?? 0;

/** Finds the key of the row after which a page begins, as text. Errors: RowNotFound. */
async function findPlace(
  db: Queryable,
  { key, findRow }: ListOrder,
  id: string | undefined,
  at: string | undefined,
): Promise<readonly string[] | null> {
  if (id === undefined) return null;
  if (at !== undefined) return [at, id];
  const row = await db.first<{ place: string[] }>(sql`
    SELECT ARRAY[${join(key.map((column) => sql`${column}::text`))}] AS place ${findRow(id)}
  `);
  if (!row) throw new RowNotFound();
  return row.place;
}

/** The condition that a row comes after the one with a key. */
function buildAfter({ key, coarse, ascending = false }: ListOrder, place: readonly string[]): Sql {
  const comparison = ascending ? sql`>` : sql`<`;
  const isAfter = sql`(${join(key)}) ${comparison} (${join(place)})`;
  if (coarse === undefined) return isAfter;
  const first = coarse.valueFor(sql`${place[0]}`);
  return sql`${coarse.column} ${comparison}= ${first} AND ${isAfter}`;
}

/**
 * Cuts a page out of a list. With `before` it costs the same at any depth. An offset beyond the end
 * is answered without a walk, if it is far beyond.
 * Errors: RowNotFound.
 */
export async function cutPage(
  db: Queryable,
  { offset, limit, before, beforeAt }: PageRange,
  order: ListOrder,
): Promise<PageCut> {
  const { key, coarse, ascending = false } = order;
  const isBeyond = offset > DEEP_OFFSET && offset > (await boundRowCount(db, order.table));
  const place = await findPlace(db, order, before, beforeAt);
  const direction = ascending ? sql`` : sql` DESC`;
  const columns = coarse === undefined ? key : [coarse.column, ...key];
  return {
    after: place === null ? sql`true` : buildAfter(order, place),
    orderBy: sql`ORDER BY ${join(columns.map((column) => sql`${column}${direction}`))}`,
    // PostgreSQL reads nothing for LIMIT 0.
    limit: isBeyond ? sql`LIMIT 0` : sql`LIMIT ${limit} OFFSET ${offset}`,
  };
}
