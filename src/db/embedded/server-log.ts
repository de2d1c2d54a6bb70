import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads the last six informative lines of the server's first output and of the log files in
 * `folder`. Files that were last written before `since` (milliseconds since 1970) are skipped.
 */
export async function readLastLines(first: string, folder: string, since: number): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const lines: string[] = [];
  for (const path of [first, ...names]) {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.mtimeMs < since) continue;
    lines.push(...(await readTail(path)));
  }
  const informative = lines.filter(
    (line) => line.trim() !== '' && !/redirecting log output|Future log output/.test(line),
  );
  return informative.slice(-6).join('\n');
}

/**
 * Reads the lines in a file's last 4 KB. It follows no symlink, because the folder belongs to the
 * database's user and Stoa may be root.
 */
async function readTail(path: string): Promise<string[]> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) return [];
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read({
      buffer: Buffer.alloc(4096),
      position: Math.max(0, size - 4096),
    });
    return buffer.subarray(0, bytesRead).toString('utf8').split('\n').slice(-12);
  } finally {
    await file.close();
  }
}
