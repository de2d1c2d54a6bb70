import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

const isErrno = (error: unknown, code: string): boolean =>
  (error as { readonly code?: string }).code === code;

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
