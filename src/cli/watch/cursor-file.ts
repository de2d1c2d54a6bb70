import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sync } from '../../blobs/local-blobs.ts';
import { CommandError } from '../describe-error.ts';

/** Where a reader of events is, in a file that survives it. */
export interface CursorFile extends AsyncDisposable {
  /** The cursor after the last event that was handled; 0 at first. */
  readonly cursor: number;
  /** Stores a cursor. When it returns, not even a power cut makes it be forgotten. */
  save(cursor: number): Promise<void>;
}

/** The installation and the agent whose cursor it is. */
interface Reader {
  readonly url: string;
  readonly agentId: string;
}

const isErrno = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException).code === code;

/** Whether a process is there, even if it belongs to somebody else. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/** Returns the process that has a lock; null if its owner was killed. */
async function findHolder(path: string): Promise<number | null> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  return pid > 0 && pid !== process.pid && isAlive(pid) ? pid : null;
}

/** Removes the lock of a process that was killed, unless another one has taken it meanwhile. */
async function removeStale(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    if ((await findHolder(aside)) !== null) await link(aside, path);
    await rm(aside);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') && !isErrno(error, 'EEXIST')) throw error;
  }
}

/**
 * Takes the lock of a file for this process. One that was killed leaves its lock behind, which is
 * then taken over. Returns a function that gives it back.
 * Errors: CommandError while another process has it.
 */
async function lock(path: string): Promise<() => Promise<void>> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
      const holder = await findHolder(path);
      if (holder !== null)
        throw new CommandError(
          `Process ${holder} handles these events already. Stop it, or give this one a --state ` +
            `file of its own. If ${holder} is another program, delete ${path}.`,
        );
      await removeStale(path);
    }
  }
  throw new CommandError(`${path} appears again and again: is another process starting as well?`);
}

async function readCursor(path: string, { url, agentId }: Reader): Promise<number> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  });
  if (text === null) return 0;
  let kept: Partial<Reader & { readonly cursor: number }> = {};
  try {
    kept = JSON.parse(text) as typeof kept;
  } catch {
    // It is told below.
  }
  if (typeof kept.cursor !== 'number')
    throw new CommandError(`${path} is not a file of \`stoa watch\`: name another with --state.`);
  if (kept.agentId !== agentId || kept.url !== url)
    throw new CommandError(
      `${path} belongs to agent ${kept.agentId} at ${kept.url}: name another file with --state.`,
    );
  return kept.cursor;
}

/**
 * Opens the file that has the cursor of a reader, for this process alone.
 * Errors: CommandError for a file of another reader, or one that another process has open.
 */
export async function openCursorFile(path: string, reader: Reader): Promise<CursorFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unlock = await lock(`${path}.lock`);
  try {
    const cursor = await readCursor(path, reader);
    return {
      cursor,
      async save(next) {
        const fresh = `${path}.${randomUUID()}.new`;
        const handle = await open(fresh, 'wx', 0o600);
        try {
          await handle.writeFile(`${JSON.stringify({ ...reader, cursor: next })}\n`);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(fresh, path);
        await sync(dirname(path));
      },
      [Symbol.asyncDispose]: unlock,
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
