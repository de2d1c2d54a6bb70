import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, lchown, mkdir, open } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { toProcessOptions } from './account/server-account.ts';
import type { Binaries } from './binaries/binaries.ts';
import type { Home } from './database-home.ts';
import { describeReason, EmbeddedServerError, findSystemCode } from './embedded-errors.ts';
import type { LogMessage, SocketConnection } from './embedded-types.ts';
import { openSession, POSTGRES_PORT } from './lock-session.ts';
import { readLastLines } from './server-log.ts';
import { buildSettings, processEnvironment } from './server-settings.ts';
import { stopPostmaster } from './stop-process.ts';
import { pause } from './wait-until.ts';

/** Everything that is needed to start the server, repeatedly. */
export interface ServerPlan {
  readonly home: Home;
  readonly binaries: Binaries;
  readonly data: string;
  readonly connection: SocketConnection;
  readonly log: LogMessage;
  /**
   * Is called when the process runs, each time, some moments before it accepts connections. What it
   * begins may keep the event loop busy, and is waited for. It does not fail.
   */
  readonly onSpawned?: (() => Promise<void>) | undefined;
}

/** The server's main process. */
export interface Postmaster {
  readonly pid: number;
  /** Resolves when the process ends, with the reason: `exit code 1` or `signal SIGKILL`. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** The last lines of its log since it started. */
  readLastLines(): Promise<string>;
}

/** Recovery after a crash replays up to max_wal_size, which takes long on a slow disk. */
const START_LIMIT_MS = 600_000;

/**
 * Starts the server and returns at once. The process is detached, so Ctrl-C in the terminal ends
 * the service, which then stops the database.
 */
export async function spawnPostmaster({
  home,
  binaries,
  data,
  connection,
}: ServerPlan): Promise<Postmaster> {
  const logFolder = join(home.folder, 'log');
  await mkdir(logFolder, { mode: 0o700 }).catch((error: unknown) => {
    if (findSystemCode(error) !== 'EEXIST') throw error;
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
      String(POSTGRES_PORT),
      ...buildSettings(
        { socket: connection.host, log: logFolder },
        binaries.major,
        // A container may have less than the machine. Without such a limit this is 0 or very large.
        Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
      ),
    ];
    const child = spawn(join(binaries.folder, 'postgres'), options, {
      ...toProcessOptions(home.account),
      cwd: '/',
      env: processEnvironment,
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
      readLastLines: () => readLastLines(first, logFolder, ctimeMs),
    };
  } finally {
    await output.close();
  }
}

/**
 * Waits until the server accepts connections, and logs every few seconds while it recovers.
 * Errors: EmbeddedServerError when the server ends, takes more than ten minutes, or `signal` fires.
 * The server is then stopped.
 */
export async function waitUntilReady(
  postmaster: Postmaster,
  { connection, log }: ServerPlan,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  let lastLogged = start;
  for (let wait = 10; ; wait = Math.min(200, wait * 1.5)) {
    if (postmaster.hasEnded())
      throw new EmbeddedServerError(
        `The database did not start (${await postmaster.ended}). The end of its ` +
          `log:\n${await postmaster.readLastLines()}`,
      );
    const trouble = await openSession(connection)
      .then((client) => client.end())
      .catch((error: unknown) => describeReason(error));
    if (trouble === undefined) return;
    const now = performance.now();
    if (signal.aborted || now - start > START_LIMIT_MS) {
      if (!postmaster.hasEnded()) await stopPostmaster(postmaster.pid);
      throw new EmbeddedServerError(
        signal.aborted
          ? 'The start of the database was canceled, because Stoa is stopping.'
          : `The database was not ready after ten minutes (${trouble}): look at its log and at ` +
              `${connection.host}.`,
      );
    }
    if (now - lastLogged > 5000) {
      lastLogged = now;
      log(`waiting for the database: ${trouble}`, { seconds: Math.round((now - start) / 1000) });
    }
    await Promise.race([postmaster.ended, pause(wait, signal)]);
  }
}
