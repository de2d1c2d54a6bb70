import { chmod, copyFile, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Static libraries, headers and build descriptions are not needed to run a server. */
const isNeeded = (name: string): boolean =>
  !name.endsWith('.a') && name !== 'include' && name !== 'pkgconfig';

/**
 * Copies files and folders and makes them readable for everyone, whatever the umask. It skips
 * symlinks; the caller creates them. The target must not exist.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isNeeded(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    if (!entry.isFile()) continue;
    await copyFile(source, target);
    await chmod(target, 0o755);
  }
}

/**
 * Whether a copy has every file of the original in its full size. After a power cut, a renamed
 * folder may contain empty files.
 */
export async function isSameTree(from: string, to: string): Promise<boolean> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isNeeded(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory() && !(await isSameTree(source, target))) return false;
    if (!entry.isFile()) continue;
    const original = await lstat(source);
    const copy = await stat(target).catch(() => undefined);
    if (copy?.size !== original.size) return false;
  }
  return true;
}
