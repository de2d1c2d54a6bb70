import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

const isErrno = (error: unknown, code: string): boolean =>
  (error as { readonly code?: string }).code === code;

/** Whether the system knows a process, even if it belongs to somebody else. */
function isKnown(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/**
 * Whether a process runs. One that was killed stays known as a zombie until its parent has asked
 * how it ended, which some parents never do. Linux tells them apart in /proc (proc(5), `stat`).
 */
async function isAlive(pid: number): Promise<boolean> {
  if (!isKnown(pid)) return false;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program comes first, in parentheses, and may have any characters.
  const state = text.charAt(text.lastIndexOf(')') + 2);
  return text === '' ? isKnown(pid) : state !== 'Z' && state !== 'X';
}

/** Returns the process that has a lock; null if its owner was killed. */
async function findHolder(path: string): Promise<number | null> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  return pid > 0 && pid !== process.pid && (await isAlive(pid)) ? pid : null;
}

/** Removes the lock of a process that was killed, unless another one has taken it meanwhile. */
async function removeStale(path: string): Promise<void> {
  const aside = `${path}.${crypto.randomUUID()}`;
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
 * Errors: what `buildError` makes of the sentence that says who has it.
 */
export async function lockFile(
  path: string,
  buildError: (sentence: string) => Error,
): Promise<() => Promise<void>> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
      const holder = await findHolder(path);
      if (holder !== null)
        throw buildError(
          `Process ${holder} handles these events already (if it is another program, delete ` +
            `${path}).`,
        );
      await removeStale(path);
    }
  }
  throw buildError(`${path} appears again and again: is another process starting as well?`);
}
