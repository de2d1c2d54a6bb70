import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The kinds of transactions that are watched. */
export const watchedKinds = ['post', 'read', 'registration', 'record'] as const;
type Kind = (typeof watchedKinds)[number];

/** What calls went through during a time, in milliseconds. */
export interface Waits {
  /** The longest time that a transaction of a kind took. */
  readonly slowest: Readonly<Record<Kind, number>>;
  /** The longest time that one of them waited for a lock that another connection had. */
  readonly lock: number;
}

/** Transactions like those of calls, one after the other, and what they wait for. */
export interface LockWatch extends AsyncDisposable {
  /** Returns the waits since the last call. What still runs counts as far as it has got. */
  take(): Waits;
}

/** One transaction or read after the other, which `run` makes of a number. */
interface Probe {
  readonly pid: number;
  takeSlowest(): number;
  stop(): Promise<void>;
}

/** The pause between two of a kind, so that the machine has time for what is measured. */
const PAUSE_MS = 5;

async function startProbe(
  connection: pg.ClientConfig,
  run: (client: pg.Client, nr: number) => Promise<unknown>,
): Promise<Probe> {
  const client = new pg.Client(connection);
  // A probe that fails ends the measurement, when it is stopped at the latest.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  let isOver = false;
  let slowest = 0;
  let began: number | null = null;
  const running = (async () => {
    for (let nr = 0; !isOver; nr++) {
      began = performance.now();
      await run(client, nr);
      slowest = Math.max(slowest, performance.now() - began);
      began = null;
      await sleep(PAUSE_MS);
    }
  })();
  return {
    pid: rows[0].pid,
    takeSlowest() {
      const most = Math.max(slowest, began === null ? 0 : performance.now() - began);
      slowest = 0;
      return most;
    },
    async stop() {
      isOver = true;
      await running;
      await client.end();
    },
  };
}

/** Starts to run such transactions, and to look which of them wait for a lock. */
export async function watchLocks(
  connection: pg.ClientConfig,
  runs: Readonly<Record<Kind, (client: pg.Client, nr: number) => Promise<unknown>>>,
): Promise<LockWatch> {
  const probes = await Promise.all(watchedKinds.map((kind) => startProbe(connection, runs[kind])));
  const pids = probes.map(({ pid }) => pid);
  let lock = 0;
  const sampler = await startProbe(connection, async (client) => {
    const { rows } = await client.query(
      `SELECT extract(epoch FROM max(clock_timestamp() - waitstart)) * 1000 AS waited
       FROM pg_locks
       WHERE NOT granted AND pid = ANY($1)`,
      [pids],
    );
    lock = Math.max(lock, Number(rows[0].waited ?? 0));
  });
  return {
    take() {
      const times = watchedKinds.map((kind, nr) => [kind, probes[nr]?.takeSlowest() ?? 0]);
      const waits = { slowest: Object.fromEntries(times) as Waits['slowest'], lock };
      lock = 0;
      return waits;
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...probes, sampler].map((probe) => probe.stop()));
    },
  };
}
