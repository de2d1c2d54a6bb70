import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a file of deploy/. */
export const readExample = (name: string): string =>
  readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');

/**
 * Finds a program that the example files are for. Returns undefined and says so where it is not
 * installed. Errors: throws in CI, where all of them must be.
 */
export function findProgram(name: string, debianPackage = name): string | undefined {
  const path = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find(existsSync);
  if (path) return path;
  const advice = `There is no ${name} for the tests of deploy/: apt-get install ${debianPackage}.`;
  if (process.env.DEPLOY_PROGRAMS === 'on') throw new Error(advice);
  process.stderr.write(`SKIPPED: ${advice}\n`);
  return undefined;
}
