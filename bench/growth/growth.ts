import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { renderMarkdownTable } from '../report/document.ts';
import {
  buildGrownTable,
  findMonth,
  formatBegin,
  type GrownForm,
  type GrownRead,
  type GrownTable,
  type Scale,
} from './grown-table.ts';
import { grownTables } from './grown-tables.ts';
import { renderDemands, renderLimits } from './growth-report.ts';

export interface GrowthOptions {
  readonly model?: boolean;
  readonly tables: string;
  readonly millions: string;
  readonly agents: string;
  readonly months: string;
}

const BATCH = 1_000_000;
const READS = 200;
const READS_A_PLAN = 20;

/** Builds the statement that adds rows from one number up to another, in the order of time. */
const buildFill = (row: string): string => `INSERT INTO grown
  SELECT ${row}
  FROM (
    SELECT i, $4::timestamptz + i * $5::float8 * interval '1 second' + $6::interval AS at
    FROM generate_series($1::bigint, $2::bigint - 1) i
  ) s
  WHERE $3::bigint > 0`;

const listFillValues = (from: number, to: number, scale: Scale, later = '0 days') => {
  const begin = findMonth(0).getTime();
  const seconds = (findMonth(scale.months).getTime() - begin) / 1000 / scale.rows;
  return [from, to, scale.agents, new Date(begin).toISOString(), seconds * 0.999999, later];
};

/** Fills the table in the order of time, as posts do: the rows of an agent are far apart. */
async function fill(sql: SqlLimit, { row }: GrownTable, scale: Scale): Promise<void> {
  for (let from = 0; from < scale.rows; from += BATCH) {
    const to = Math.min(scale.rows, from + BATCH);
    await sql.run(buildFill(row), listFillValues(from, to, scale));
  }
  await sql.run('VACUUM (ANALYZE) grown');
}

/** Whether a second row is taken that the one table refuses. */
async function takesTwin(sql: SqlLimit, { row, twin }: GrownTable, scale: Scale) {
  await sql.run('BEGIN');
  const taken = await sql.run(buildFill(row), listFillValues(1, 2, scale, twin)).then(
    () => 'taken',
    () => 'refused',
  );
  await sql.run('ROLLBACK');
  return taken;
}

/** Parts of a plan as EXPLAIN gives it. */
interface BufferCounts {
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
}

const pickMedian = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;

/** Repeats a read, and returns the medians of milliseconds and of blocks. Prints its plan once. */
async function measureRead(
  sql: SqlLimit,
  { name, text, find, values }: GrownRead,
  scale: Scale,
): Promise<[string, string]> {
  const times: number[] = [];
  const blocks: number[] = [];
  for (let nr = 0; nr < READS; nr++) {
    const given = values(nr, scale);
    const used = find ? Object.values((await sql.run(find, given))[0] ?? {}) : given;
    const began = performance.now();
    await sql.run(text, used);
    times.push(performance.now() - began);
    if (nr % READS_A_PLAN !== 0) continue;
    const [answer] = await sql.run(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, used);
    const plans = answer?.['QUERY PLAN'] as readonly { readonly Plan: BufferCounts }[];
    const root = plans[0]?.Plan ?? {};
    blocks.push((root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0));
    if (nr > 0) continue;
    const plan = await sql.run(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, used);
    console.log(`${name}:\n${plan.map((row) => row['QUERY PLAN']).join('\n')}`);
  }
  return [pickMedian(times).toFixed(2), pickMedian(blocks).toFixed(0)];
}

/** Removes the oldest month, and returns seconds, and MiB of the write-ahead log. */
async function removeMonth(
  sql: SqlLimit,
  table: GrownTable,
  { by }: GrownForm,
): Promise<[string, string]> {
  await sql.run('CHECKPOINT');
  const readPlace = async () =>
    Number((await sql.run("SELECT pg_current_wal_lsn() - '0/0' AS place"))[0]?.place);
  const from = await readPlace();
  const began = performance.now();
  if (by === 'month') await sql.run('DROP TABLE grown_0');
  else {
    await sql.run(`DELETE FROM grown WHERE ${table.age} < ${formatBegin(table, 1)}`);
    await sql.run('VACUUM grown');
  }
  const seconds = (performance.now() - began) / 1000;
  return [seconds.toFixed(1), (((await readPlace()) - from) / 1024 / 1024).toFixed(1)];
}

/** Measures one form of a table. Returns its row of the result. */
async function measureForm(sql: SqlLimit, table: GrownTable, form: GrownForm, scale: Scale) {
  console.log(`\n${table.name}, ${form.name}, ${new Date().toISOString()}`);
  for (const statement of buildGrownTable(table, form, scale.months)) await sql.run(statement);
  const began = performance.now();
  await fill(sql, table, scale);
  const filled = scale.rows / ((performance.now() - began) / 1000);
  const [size] = await sql.run(
    `SELECT sum(pg_table_size(relid)) AS heap, sum(pg_indexes_size(relid)) AS index
     FROM (
       SELECT 'grown'::regclass AS relid
       UNION SELECT relid FROM pg_partition_tree('grown')
     ) parts`,
  );
  const each = (bytes: unknown) => (Number(bytes) / scale.rows).toFixed(0);
  const cells = [form.name, filled.toFixed(0), each(size?.heap), each(size?.index)];
  for (const read of table.reads) cells.push(...(await measureRead(sql, read, scale)));
  cells.push(await takesTwin(sql, table, scale), ...(await removeMonth(sql, table, form)));
  console.log(cells.join(' | '));
  await sql.run('DROP TABLE grown');
  return cells;
}

/** Runs the command `bench growth`: what very many rows cost, in tables of several forms. */
export async function benchGrowth(options: GrowthOptions): Promise<void> {
  if (options.model) return console.log(`${renderDemands()}\n\n${renderLimits()}`);
  const names = options.tables.split(',');
  const scale = {
    rows: Number(options.millions) * 1_000_000,
    agents: Number(options.agents),
    months: Number(options.months),
  };
  for (const name of names)
    if (!grownTables.some((table) => table.name === name))
      throw new Error(`${name} is none of ${grownTables.map((table) => table.name).join(', ')}.`);
  await using service = await startService();
  await using sql = await connectSql(service.database.connection, 1);
  for (const table of grownTables.filter(({ name }) => names.includes(name))) {
    const rows: string[][] = [];
    for (const form of table.forms) rows.push(await measureForm(sql, table, form, scale));
    const head = [table.name, 'filled, rows/s', 'bytes a row', 'index bytes a row'];
    const reads = table.reads.flatMap(({ name }) => [`${name}, ms`, 'blocks']);
    const last = ['its twin', 'a month removed, s', 'MiB written'];
    console.log(`\n${renderMarkdownTable([...head, ...reads, ...last], rows)}`);
  }
}
