/** How long rows of a table stay. */
type Kept = 'ever' | 'records' | 'events';

/** What a post with three followers leaves in a table: rows, and bytes with its indexes. */
interface PostPart {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly kept: Kept;
}

/**
 * What a call costs: microseconds of processors of service and database, as docs/performance.md has
 * them of 2026-11-26, their share in the kernel added.
 */
const calls = {
  post: { service: 899 + 93, database: 765 + 201 },
  page: { service: 265 + 43, database: 32 + 14 },
  poll: { service: 286 + 36, database: 36 + 19 },
  search: { service: 4_531 + 456, database: 4_404 + 532 },
} as const;

/** What is assumed, because no installation tells it yet. */
const assumed = {
  /** Calls besides each post. */
  pages: 10,
  polls: 10,
  searches: 0.2,
  /** The busiest second has so many times the calls of the mean. */
  peak: 3,
  /** The share of its processors that a machine can use without long waits. */
  use: 0.6,
  /** Days after which read events are deleted (EVENT_DAYS), and records (IDEMPOTENCY_DAYS). */
  eventDays: 30,
  recordDays: 7,
  /** Each processor of the service has a process, and each process so many connections. */
  connectionsAProcess: 15,
  /** A file for so many posts, and its bytes. */
  postsAFile: 50,
  fileBytes: 200_000,
} as const;

/**
 * What a post of 800 characters leaves, as `npm run bench -- bytes` measured it after 21,303 posts
 * on 2026-11-26. `log` is three tables. Threads are left out, since they do not grow with posts.
 */
export const postParts: readonly PostPart[] = [
  { table: 'messages', rows: 1, bytes: 1_214, kept: 'ever' },
  { table: 'message_words', rows: 1, bytes: 2_300, kept: 'ever' },
  { table: 'portable_events', rows: 1, bytes: 213, kept: 'ever' },
  { table: 'portable_recipients', rows: 2, bytes: 277, kept: 'ever' },
  { table: 'log', rows: 1.09, bytes: 162, kept: 'ever' },
  { table: 'events', rows: 3.12, bytes: 618, kept: 'events' },
  { table: 'idempotency_records', rows: 1, bytes: 812, kept: 'records' },
];

/** Bytes of the write-ahead log for a post, with full pages and the log of receipts. */
const WAL_BYTES = 15_584;
const DAY_SECONDS = 86_400;
export const YEAR_DAYS = 365;

/** What so many posts a day need. */
export interface Demand {
  readonly postsADay: number;
  readonly postsASecond: number;
  readonly rowsADay: number;
  readonly bytesADay: number;
  readonly walBytesASecond: number;
  readonly serviceProcessors: number;
  readonly databaseProcessors: number;
  readonly connections: number;
  readonly fileBytesADay: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Computes what so many posts a day need, in the busiest second where it says a second. */
export function computeDemand(postsADay: number): Demand {
  const postsASecond = (postsADay / DAY_SECONDS) * assumed.peak;
  const spend = (who: 'service' | 'database') => {
    const { post, page, poll, search } = calls;
    const micros =
      post[who] +
      assumed.pages * page[who] +
      assumed.polls * poll[who] +
      assumed.searches * search[who];
    return (postsASecond * micros) / 1_000_000 / assumed.use;
  };
  const serviceProcessors = spend('service');
  return {
    postsADay,
    postsASecond,
    rowsADay: postsADay * sum(postParts.map(({ rows }) => rows)),
    bytesADay: postsADay * sum(postParts.map(({ bytes }) => bytes)),
    walBytesASecond: postsASecond * WAL_BYTES,
    serviceProcessors,
    databaseProcessors: spend('database'),
    connections: Math.ceil(serviceProcessors) * assumed.connectionsAProcess,
    fileBytesADay: (postsADay / assumed.postsAFile) * assumed.fileBytes,
  };
}

/** What is stored, by table. */
type Stored = ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>;

export const findKeptDays = (kept: Kept): number =>
  kept === 'ever'
    ? Number.POSITIVE_INFINITY
    : assumed[kept === 'events' ? 'eventDays' : 'recordDays'];

/** Computes what is stored at the end of days, by how many posts there were up to each of them. */
export function computeStored(postsUpTo: readonly number[]): Stored {
  return new Map(
    postParts.map(({ table, rows, bytes, kept }) => {
      const gone = postsUpTo.at(-1 - findKeptDays(kept)) ?? 0;
      const posts = (postsUpTo.at(-1) ?? 0) - gone;
      return [table, { rows: posts * rows, bytes: posts * bytes }];
    }),
  );
}

/** A day of a growing installation. */
interface Day {
  readonly nr: number;
  readonly demand: Demand;
  readonly stored: Stored;
}

/** Where a step ends: what is measured or documented by others, or an estimate. */
interface Limit {
  readonly name: string;
  readonly isReached: (day: Day) => boolean;
}

export const sumBytes = (stored: Stored): number =>
  sum([...stored.values()].map(({ bytes }) => bytes));
export const GB = 1e9;
export const TB = 1e12;

const limits: readonly Limit[] = [
  {
    name: 'one process: its service needs one processor',
    isReached: ({ demand }) => demand.serviceProcessors > 1,
  },
  {
    name: 'two processors, which service and database share',
    isReached: ({ demand }) => demand.serviceProcessors + demand.databaseProcessors > 2,
  },
  { name: 'tables of 100 GB', isReached: ({ stored }) => sumBytes(stored) > 100 * GB },
  {
    name: '64 processors on one machine',
    isReached: ({ demand }) => demand.serviceProcessors + demand.databaseProcessors > 64,
  },
  { name: 'tables of 10 TB', isReached: ({ stored }) => sumBytes(stored) > 10 * TB },
  {
    name: 'a table with indexes of 32 TB; PostgreSQL has no larger relation',
    isReached: ({ stored }) => [...stored.values()].some(({ bytes }) => bytes > 32 * TB),
  },
  {
    name: '1,000 connections of the database',
    isReached: ({ demand }) => demand.connections > 1_000,
  },
  {
    name: '100 MB/s of write-ahead log, which a replica replays in one process (estimate)',
    isReached: ({ demand }) => demand.walBytesASecond > 100e6,
  },
  {
    name: '64 processors of the database alone',
    isReached: ({ demand }) => demand.databaseProcessors > 64,
  },
  {
    name: '21,677 acts a second, which one log takes',
    isReached: ({ demand }) => demand.postsASecond > 21_677,
  },
];

/** Lets an installation grow day by day, and returns the day on which each limit is reached. */
export function simulateGrowth(
  first: number,
  factorAYear: number,
  years: number,
): Map<string, Day> {
  const reached = new Map<string, Day>();
  const upTo: number[] = [];
  for (let nr = 0; nr < years * YEAR_DAYS; nr++) {
    const posts = first * factorAYear ** (nr / YEAR_DAYS);
    upTo.push((upTo.at(-1) ?? 0) + posts);
    const day = { nr, demand: computeDemand(posts), stored: computeStored(upTo) };
    for (const { name, isReached } of limits)
      if (!reached.has(name) && isReached(day)) reached.set(name, day);
  }
  return reached;
}
