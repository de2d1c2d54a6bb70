import { chmod, copyFile, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What running a server needs not: static libraries, headers, build descriptions. */
const needed = (name: string): boolean =>
  !name.endsWith('.a') && name !== 'include' && name !== 'pkgconfig';

/** Copies files and folders, readable for everyone whatever the umask; symlinks are left to the caller. The target must not exist. */
export async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!needed(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    if (!entry.isFile()) continue;
    await copyFile(source, target);
    await chmod(target, 0o755);
  }
}

/** Whether a copy has every file of the original in its size: a power cut may have left empty ones behind a rename. */
export async function sameTree(from: string, to: string): Promise<boolean> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!needed(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && !(await sameTree(source, target))) return false;
    if (!entry.isFile()) continue;
    const [original, copy] = [await lstat(source), await stat(target).catch(() => undefined)];
    if (copy?.size !== original.size) return false;
  }
  return true;
}
