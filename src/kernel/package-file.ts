import { existsSync, readFileSync } from 'node:fs';

/** Where a file of the package is, by its path from the root, from wherever this code was built to; undefined when there is none. */
export function findPackageFile(
  path: string,
  folder = new URL('.', import.meta.url),
): URL | undefined {
  const file = new URL(path, folder);
  if (existsSync(file)) return file;
  const above = new URL('..', folder);
  return above.href === folder.href ? undefined : findPackageFile(path, above);
}

/** The bytes of such a file. Errors: throws when there is none. */
export function readPackageFile(path: string): Buffer {
  const file = findPackageFile(path);
  if (!file) throw new Error(`The package has no ${path}.`);
  return readFileSync(file);
}
