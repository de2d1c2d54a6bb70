import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lockFile } from '../../../client/src/agent/lock-file.ts';
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
  const unlock = await lockFile(
    `${path}.lock`,
    (sentence) =>
      new CommandError(`${sentence} Stop it, or give this one a --state file of its own.`),
  );
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
