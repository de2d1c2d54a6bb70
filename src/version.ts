import { readFileSync } from 'node:fs';

function find(folder: URL): string {
  try {
    const { name, version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
      name: string;
      version: string;
    };
    if (name === 'stoa') return version;
  } catch {
    // Not here: one folder up.
  }
  return find(new URL('..', folder));
}

/** The package's version, from wherever this file was built to. */
export const version = find(new URL('.', import.meta.url));
