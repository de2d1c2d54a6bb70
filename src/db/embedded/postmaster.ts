import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, lchown, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { as } from './server-account.ts';
import type { Binaries } from './binaries/binaries.ts';
import { codeOf, EmbeddedServerError, reasonOf } from './embedded-errors.ts';
import type { Home } from './database-home.ts';
import { lastWords } from './server-log.ts';
import { openSession, port } from './lock-session.ts';
import { environment, settings } from './server-settings.ts';
import { stopPostmaster } from './stop-process.ts';
import type { Connection, Log } from './embedded-types.ts';
import { pause } from './wait-until.ts';

/** All that it takes to start the server, again and again. */
export interface Plan {
  readonly home: Home;
  readonly binaries: Binaries;
  readonly data: string;
  readonly connection: Connection;
  readonly log: Log;
}

export interface Postmaster {
  readonly pid: number;
  /** Why it ended: `exit code 1` or `signal SIGKILL`. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  lastWords(): Promise<string>;
}

/** Recovery after a crash replays up to max_wal_size, and a slow disk takes its time. Milliseconds. */
const patience = 600_000;

/** Starts the server and returns at once. Detached: Ctrl-C in the terminal ends the service first, which then ends the database. */
export async function spawnPostmaster({
  home,
  binaries,
  data,
  connection,
}: Plan): Promise<Postmaster> {
  const logFolder = join(home.folder, 'log');
  await mkdir(logFolder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  if (home.account.switched) await lchown(logFolder, home.account.uid, home.account.gid);
  const first = join(home.folder, 'start.log');
  const output = await open(
    first,
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    await chmod(first, 0o600);
    const { ctimeMs } = await output.stat();
    const options = [
      '-D',
      data,
      '-p',
      String(port),
      ...settings({ socket: connection.host, log: logFolder }),
    ];
    const child = spawn(join(binaries.folder, 'postgres'), options, {
      ...as(home.account),
      cwd: '/',
      env: environment,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    child.unref();
    let ended = false;
    return {
      pid: child.pid ?? -1,
      ended: new Promise((resolve) => {
        const end = (how: string): void => {
          ended = true;
          resolve(how);
        };
        child.once('error', (error) => {
          if (child.pid === undefined) end(error.message);
        });
        child.once('exit', (code, signal) =>
          end(signal ? `signal ${signal}` : `exit code ${code}`),
        );
      }),
      hasEnded: () => ended,
      lastWords: () => lastWords(first, logFolder, ctimeMs),
    };
  } finally {
    await output.close();
  }
}

/**
 * Waits until the server accepts connections; says so every few seconds while it recovers.
 * @throws EmbeddedServerError when it ends, takes more than ten minutes, or `signal` fires; it is stopped then
 */
export async function untilReady(
  postmaster: Postmaster,
  { connection, log }: Plan,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  let told = start;
  for (let wait = 10; ; wait = Math.min(200, wait * 1.5)) {
    if (postmaster.hasEnded())
      throw new EmbeddedServerError(
        `The database did not start (${await postmaster.ended}). Its last words:\n${await postmaster.lastWords()}`,
      );
    const trouble = await openSession(connection)
      .then((client) => client.end())
      .catch((error: unknown) => reasonOf(error));
    if (trouble === undefined) return;
    const now = performance.now();
    if (signal.aborted || now - start > patience) {
      if (!postmaster.hasEnded()) await stopPostmaster(postmaster.pid);
      throw new EmbeddedServerError(
        signal.aborted
          ? 'The start of the database was called off.'
          : `The database was not ready after ten minutes (${trouble}): look at ${connection.host} and its log.`,
      );
    }
    if (now - told > 5000) {
      told = now;
      log(`waiting for the database: ${trouble}`, { seconds: Math.round((now - start) / 1000) });
    }
    await Promise.race([postmaster.ended, pause(wait, signal)]);
  }
}
