import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The newest words of the server: of its first output and of its log files, as far as they were written after `since`. */
export async function lastWords(first: string, folder: string, since: number): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const lines: string[] = [];
  for (const path of [first, ...names]) {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.mtimeMs < since) continue;
    lines.push(...(await tail(path)));
  }
  const telling = lines.filter(
    (line) => line.trim() !== '' && !/redirecting log output|Future log output/.test(line),
  );
  return telling.slice(-6).join('\n');
}

/** The lines in a file's last 4 KB. No symlink is followed: the folder is the database user's, and we may be root. */
async function tail(path: string): Promise<string[]> {
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
