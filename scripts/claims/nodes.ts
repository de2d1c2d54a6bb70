import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../../bench/load/service.ts';
import type { EmbeddedServer } from '../../src/db/embedded/embedded-server.ts';

const START_MS = 60_000;

/** A node of the service, which can be killed, stopped and started again on its port. */
export interface Node {
  readonly url: string;
  /** Ends it with SIGKILL and starts it again, with its clock off by so many seconds. */
  restart(clockOffsetSeconds: number): Promise<void>;
  /** Stops it with SIGSTOP for so long. */
  pause(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Builds the address of a database that this process has started. */
function toDatabaseUrl({ connection }: EmbeddedServer, user: string): string {
  const { host, port, database } = connection as { host: string; port: number; database: string };
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

async function launch(
  main: string,
  settings: Record<string, string>,
): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
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

/** Starts a node of a program on a database. */
export async function startNode(
  main: string,
  database: EmbeddedServer,
  settings: Record<string, string>,
): Promise<Node> {
  const common = {
    ...settings,
    REALM: 'test',
    RATE_LIMITS: 'off',
    LOAD_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DISK_FLOOR_BYTES: '0',
    DATABASE_URL: toDatabaseUrl(database, 'stoa_app'),
    DATABASE_OWNER_URL: toDatabaseUrl(database, 'stoa_owner'),
  };
  let [child, url] = await launch(main, { ...common, PORT: '0' });
  const PORT = new URL(url).port;
  const end = async (signal: NodeJS.Signals) => {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return {
    url,
    async restart(offset) {
      await end('SIGKILL');
      [child, url] = await launch(main, { ...common, PORT, CLOCK_OFFSET_SECONDS: String(offset) });
    },
    async pause(milliseconds) {
      child.kill('SIGSTOP');
      await sleep(milliseconds);
      child.kill('SIGCONT');
    },
    stop: () => end('SIGTERM'),
  };
}
