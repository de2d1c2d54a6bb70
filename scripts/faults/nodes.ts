import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../../bench/load/service.ts';
import type { EmbeddedServer } from '../../src/db/embedded/embedded-server.ts';

const START_MS = 60_000;
/** How often a node is started again while the database is away. */
const STARTS = 20;
const BETWEEN_STARTS_MS = 500;

/** A time in which a node did not answer, as milliseconds since 1970. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** A node of the service, which can be killed, stopped and started again on its port. */
export interface Node {
  readonly url: string;
  /** When it was dead or stopped. */
  readonly outages: readonly Outage[];
  readonly pid: number;
  /** Ends it, and starts it again on its port, with its clock off by so many seconds. */
  restart(clockOffsetSeconds: number, signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Ends it with SIGTERM, and starts another program in its place. */
  replace(main: string): Promise<void>;
  /** Stops it with SIGSTOP for so long. */
  pause(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Builds the address of a database that this process has started. */
function toDatabaseUrl({ connection }: EmbeddedServer, user: string): string {
  const { host, port, database } = connection as { host: string; port: number; database: string };
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** Nodes end with this process, however that ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function launch(
  main: string,
  settings: Record<string, string>,
): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let errors = '';
  child.stderr?.on('data', (piece) => (errors += piece));
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      const [, address] = /serves on (\S+)/.exec(line) ?? [];
      if (address === undefined) continue;
      child.stdout?.resume();
      errors = '';
      return [child, address];
    }
  } finally {
    clearTimeout(late);
  }
  throw new Error(`A node did not start: ${errors}`);
}

/** The settings of a node on a database that this process has started. */
export const buildDatabaseSettings = (database: EmbeddedServer): Record<string, string> => ({
  DATABASE_URL: toDatabaseUrl(database, 'stoa_app'),
  DATABASE_OWNER_URL: toDatabaseUrl(database, 'stoa_owner'),
});

/**
 * Starts a node of a program, in a test realm and without limits. When it starts again, it tries
 * until the database answers. Errors: Error with what the node said, when it does not start.
 */
export async function startNode(entry: string, settings: Record<string, string>): Promise<Node> {
  let main = entry;
  const common = {
    REALM: 'test',
    RATE_LIMITS: 'off',
    LOAD_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DISK_FLOOR_BYTES: '0',
    ...settings,
  };
  let [child, url] = await launch(main, { PORT: '0', ...common });
  const PORT = settings.PORT ?? new URL(url).port;
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  const outages: Outage[] = [];
  const noteOutage = async (strike: () => Promise<void>) => {
    const from = Date.now();
    await strike();
    outages.push({ from, to: Date.now() });
  };
  const start = async (clockOffset: number) => {
    const env = { ...common, PORT, CLOCK_OFFSET_SECONDS: String(clockOffset) };
    for (let tries = 1; ; tries++) {
      try {
        [child, url] = await launch(main, env);
        return;
      } catch (error) {
        if (tries === STARTS) throw error;
        await sleep(BETWEEN_STARTS_MS);
      }
    }
  };
  return {
    url,
    outages,
    get pid() {
      return child.pid ?? 0;
    },
    restart: (clockOffset, signal = 'SIGKILL') =>
      noteOutage(async () => {
        await end(signal);
        await start(clockOffset);
      }),
    replace: (next) =>
      noteOutage(async () => {
        await end('SIGTERM');
        main = next;
        await start(0);
      }),
    pause: (milliseconds) =>
      noteOutage(async () => {
        child.kill('SIGSTOP');
        await sleep(milliseconds);
        child.kill('SIGCONT');
      }),
    stop: () => end('SIGTERM'),
  };
}
