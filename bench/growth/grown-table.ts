/** A read of a table that grows, repeated with other values. */
export interface GrownRead {
  readonly name: string;
  readonly text: string;
  /** A statement that is not measured and makes the values of the read out of `values`. */
  readonly find?: string;
  /** The values of the read with this number. */
  readonly values: (nr: number, scale: Scale) => readonly unknown[];
}

/** How much a table has: its rows, the agents that they are of, and the months they are from. */
export interface Scale {
  readonly rows: number;
  readonly agents: number;
  readonly months: number;
}

/** A form of a table. */
export interface GrownForm {
  readonly name: string;
  /** Its primary key, which has to have what the table is partitioned by. */
  readonly key: string;
  /** What it is partitioned by: age in ranges of a month, or 16 remainders of a hash. */
  readonly by?: 'month' | { readonly hash: string };
}

/** A table that grows with posts or acts for ever, and the forms that it could have. */
export interface GrownTable {
  readonly name: string;
  readonly columns: string;
  readonly indexes: readonly string[];
  /** The values of a row, by its number `i`, its time `at` and the number of agents, `$3`. */
  readonly row: string;
  /** How much later a second row can be that must be refused because of the first. */
  readonly twin: string;
  /** The column that tells the age of a row: an id begins with its time. */
  readonly age: 'id' | 'created_at';
  readonly reads: readonly GrownRead[];
  readonly forms: readonly GrownForm[];
}

/** Returns when a month of the made-up time begins. */
export const findMonth = (month: number): Date => new Date(Date.UTC(2025, month, 1));

/** Builds the smallest UUIDv7 of a time (RFC 9562, section 5.7), as ids begin with their time. */
export const buildFirstId = (time: Date): string => {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** Formats the least value of the column of age in a month. */
export const formatBegin = ({ age }: Pick<GrownTable, 'age'>, month: number): string =>
  `'${age === 'id' ? buildFirstId(findMonth(month)) : findMonth(month).toISOString()}'`;

/** Builds the statements that create a table called `grown` in a form. */
export function buildGrownTable(
  table: GrownTable,
  { key, by }: GrownForm,
  months: number,
): string[] {
  const create = `CREATE TABLE grown (${table.columns}, PRIMARY KEY (${key}))`;
  const indexes = table.indexes.map((index) => `CREATE INDEX ON grown ${index}`);
  if (by === undefined) return [create, ...indexes];
  const number = (count: number) => Array.from({ length: count }, (_, part) => part);
  const parts =
    by === 'month'
      ? number(months).map(
          (month) => `CREATE TABLE grown_${month} PARTITION OF grown
            FOR VALUES FROM (${formatBegin(table, month)}) TO (${formatBegin(table, month + 1)})`,
        )
      : number(16).map(
          (part) => `CREATE TABLE grown_${part} PARTITION OF grown
            FOR VALUES WITH (MODULUS 16, REMAINDER ${part})`,
        );
  const kind = by === 'month' ? `RANGE (${table.age})` : `HASH (${by.hash})`;
  return [`${create} PARTITION BY ${kind}`, ...parts, ...indexes];
}
