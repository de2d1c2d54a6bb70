import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns where a file of the package is. `path` begins at the package's root; the search goes up
 * from this module, so it works from the sources and from the build. Returns undefined when no
 * folder has the file.
 */
export function findPackageFile(
  path: string,
  folder = new URL('.', import.meta.url),
): URL | undefined {
  const file = new URL(path, folder);
  if (existsSync(file)) return file;
  const above = new URL('..', folder);
  return above.href === folder.href ? undefined : findPackageFile(path, above);
}

/** Returns the package's root folder. Errors: throws when there is none. */
export function findPackageFolder(): string {
  const file = findPackageFile('package.json');
  if (!file) throw new Error('The package has no package.json.');
  return dirname(fileURLToPath(file));
}

/** Returns the bytes of a file of the package. Errors: throws when there is none. */
export function readPackageFile(path: string): Buffer {
  const file = findPackageFile(path);
  if (!file) throw new Error(`The package has no ${path}.`);
  return readFileSync(file);
}

/** The package's version, as in its package.json. */
export const { version } = JSON.parse(readPackageFile('package.json').toString()) as {
  readonly version: string;
};
