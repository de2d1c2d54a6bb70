import { basename, resolve } from 'node:path';
import { DEFAULT_DATA_DIR, type Settings } from '../../config.ts';

const quote = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** How this process was started. */
export interface Start {
  /** The path of the program, as it was typed or found. */
  readonly path: string;
  /** Whether a script of the package started it. */
  readonly byScript: boolean;
}

const readStart = (): Start => ({
  path: process.argv[1] ?? 'stoa',
  byScript: process.env.npm_lifecycle_event !== undefined,
});

/**
 * Builds the beginning of what a person types in this folder to run another command on the same
 * installation: the program as this one was started, and the settings that find its data. An
 * address of a database has a password, so a person fills it in.
 */
export function buildCommand(
  { DATABASE_URL, DATA_DIR }: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>,
  { path, byScript }: Start = readStart(),
): string {
  const byPath = basename(path) === 'stoa' ? 'stoa' : `node ${quote(path)}`;
  const program = byScript ? 'npm run stoa --' : byPath;
  if (DATABASE_URL !== null) return `DATABASE_URL=... ${program}`;
  const folder = resolve(DATA_DIR);
  return folder === resolve(DEFAULT_DATA_DIR) ? program : `DATA_DIR=${quote(folder)} ${program}`;
}
