import { startService } from '../../load/service.ts';
import { connectSql, type SqlLimit } from '../../load/sql-limit.ts';
import { renderMarkdownTable } from '../../report/document.ts';

export interface GrowthOptions {
  readonly millions: string;
  readonly agents: string;
  readonly months: string;
}

const BATCH = 1_000_000;
const READS = 200;

/** A form of the table of events. */
interface Form {
  readonly name: string;
  readonly create: (months: number) => readonly string[];
}

const COLUMNS = `
  agent_id uuid NOT NULL,
  seq bigint NOT NULL,
  reasons smallint NOT NULL,
  room_id uuid,
  message_id uuid,
  actor_id uuid,
  created_at timestamptz NOT NULL`;

const forms: readonly Form[] = [
  {
    name: 'one table',
    create: () => [`CREATE TABLE grown (${COLUMNS}, PRIMARY KEY (agent_id, seq))`],
  },
  {
    name: 'by month',
    create: (months) => [
      `CREATE TABLE grown (${COLUMNS}, PRIMARY KEY (agent_id, seq, created_at))
       PARTITION BY RANGE (created_at)`,
      ...Array.from(
        { length: months },
        (_, month) => `CREATE TABLE grown_${month} PARTITION OF grown
          FOR VALUES FROM (${formatMonth(month)}) TO (${formatMonth(month + 1)})`,
      ),
    ],
  },
  {
    name: 'by agent, 16 parts',
    create: () => [
      `CREATE TABLE grown (${COLUMNS}, PRIMARY KEY (agent_id, seq)) PARTITION BY HASH (agent_id)`,
      ...Array.from(
        { length: 16 },
        (_, part) => `CREATE TABLE grown_${part} PARTITION OF grown
          FOR VALUES WITH (MODULUS 16, REMAINDER ${part})`,
      ),
    ],
  },
];

function formatMonth(month: number): string {
  const date = new Date(Date.UTC(2025, month, 1));
  return `'${date.toISOString()}'`;
}

/** Fills the table in the order of time, as posts do: the events of an agent are far apart. */
async function fill(sql: SqlLimit, rows: number, agents: number, months: number): Promise<void> {
  const seconds = (Date.UTC(2025, months, 1) - Date.UTC(2025, 0, 1)) / 1000 / rows;
  for (let from = 0; from < rows; from += BATCH)
    await sql.run(
      `INSERT INTO grown
       SELECT md5((i % $3)::text)::uuid, i / $3 + 1, 4, md5('room')::uuid, md5(i::text)::uuid,
         md5('actor')::uuid,
         '2025-01-01T00:00:00Z'::timestamptz + i * $4::float8 * interval '1 second'
       FROM generate_series($1::bigint, $2::bigint - 1) i`,
      [from, Math.min(rows, from + BATCH), agents, seconds * 0.999999],
    );
  await sql.run('VACUUM (ANALYZE) grown');
}

const PAGE = `SELECT seq, reasons, message_id FROM grown
  WHERE agent_id = $1::uuid AND seq > $2::bigint ORDER BY seq LIMIT 100`;

const EXPLAIN_PAGE = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${PAGE}`;

/** Parts of a plan as EXPLAIN gives it. */
interface BufferCounts {
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
}

/** Reads pages of random agents, and returns the median of milliseconds and of pages read. */
async function readPages(sql: SqlLimit, agents: number, cursor: number): Promise<[string, string]> {
  const times: number[] = [];
  const buffers: number[] = [];
  for (let nr = 0; nr < READS; nr++) {
    const [{ id } = { id: '' }] = await sql.run('SELECT md5($1::text)::uuid AS id', [
      String((nr * 7919) % agents),
    ]);
    const began = performance.now();
    await sql.run(PAGE, [id, cursor]);
    times.push(performance.now() - began);
    if (nr % 20 === 0) {
      const [answer] = await sql.run(EXPLAIN_PAGE, [id, cursor]);
      const plans = answer?.['QUERY PLAN'] as readonly { readonly Plan: BufferCounts }[];
      const root = plans[0]?.Plan ?? {};
      buffers.push((root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0));
    }
  }
  const pickMedian = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
  return [pickMedian(times).toFixed(2), pickMedian(buffers).toFixed(0)];
}

/** Deletes the oldest month, and returns seconds, and MiB of the write-ahead log. */
async function deleteMonth(sql: SqlLimit, form: Form): Promise<[string, string]> {
  const readPlace = async () =>
    Number((await sql.run("SELECT pg_current_wal_lsn() - '0/0' AS place"))[0]?.place);
  const from = await readPlace();
  const began = performance.now();
  if (form.name === 'by month') await sql.run('DROP TABLE grown_0');
  else {
    await sql.run(`DELETE FROM grown WHERE created_at < ${formatMonth(1)}`);
    await sql.run('VACUUM grown');
  }
  const seconds = (performance.now() - began) / 1000;
  return [seconds.toFixed(1), (((await readPlace()) - from) / 1024 / 1024).toFixed(0)];
}

/** Runs the command `bench growth`: what very many events cost, in a table of several forms. */
export async function benchGrowth(options: GrowthOptions): Promise<void> {
  const rows = Number(options.millions) * 1_000_000;
  const agents = Number(options.agents);
  const months = Number(options.months);
  await using service = await startService();
  await using sql = await connectSql(service.database.connection, 1);
  const table: string[][] = [];
  for (const form of forms) {
    for (const statement of form.create(months)) await sql.run(statement);
    const began = performance.now();
    await fill(sql, rows, agents, months);
    const filled = rows / ((performance.now() - began) / 1000);
    const [size] = await sql.run(
      `SELECT sum(pg_table_size(relid)) AS heap, sum(pg_indexes_size(relid)) AS index
       FROM (
         SELECT 'grown'::regclass AS relid
         UNION SELECT relid FROM pg_partition_tree('grown')
       ) parts`,
    );
    const each = (bytes: unknown) => (Number(bytes) / rows).toFixed(0);
    const newest = await readPages(sql, agents, Math.floor(rows / agents) - 100);
    const oldest = await readPages(sql, agents, 0);
    const plan = await sql.run(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${PAGE}`, [
      '00000000-0000-0000-0000-000000000000',
      0,
    ]);
    console.log(`\n${form.name}:\n${plan.map((row) => row['QUERY PLAN']).join('\n')}`);
    table.push([
      form.name,
      filled.toFixed(0),
      each(size?.heap),
      each(size?.index),
      ...newest,
      ...oldest,
      ...(await deleteMonth(sql, form)),
    ]);
    await sql.run('DROP TABLE grown');
  }
  const head = ['', 'filled, rows/s', 'bytes a row', 'index bytes a row'];
  console.log(
    `\n${renderMarkdownTable(
      [
        ...head,
        ...['newest page, ms', 'blocks', 'oldest page, ms', 'blocks'],
        ...['delete a month, s', 'MiB written'],
      ],
      table,
    )}`,
  );
}
