import { existsSync, readFileSync } from 'node:fs';

/** A file of the package, by its path from the root, from wherever this code was built to. Errors: throws when there is none. */
export function readPackageFile(path: string, folder = new URL('.', import.meta.url)): Buffer {
  const file = new URL(path, folder);
  if (existsSync(file)) return readFileSync(file);
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error(`The package has no ${path}.`);
  return readPackageFile(path, above);
}
