import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A change of one file of the built program. */
export interface Edit {
  /** The path of the file under `dist/src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Changes that make the program wrong, by name. The program that is shipped has none of them. */
export type Catalog = Readonly<Record<string, readonly Edit[]>>;

async function apply(folder: string, { file, from, to }: Edit): Promise<void> {
  const path = join(folder, 'dist/src', file);
  const pieces = (await readFile(path, 'utf8')).split(from);
  if (pieces.length !== 2)
    throw new Error(`${file} has "${from}" ${pieces.length - 1} times: mend the fault.`);
  await writeFile(path, pieces.join(to));
}

/**
 * Copies the built program into a folder, with a fault. Returns the path of its entry.
 * Errors: Error when the program has no such line any more.
 */
export async function plantFault(catalog: Catalog, name: string, folder: string): Promise<string> {
  const edits = catalog[name];
  if (!edits) throw new Error(`There is no fault ${name}: ${Object.keys(catalog).join(', ')}.`);
  await mkdir(folder, { recursive: true });
  for (const part of ['dist', 'docs', 'package.json', 'README.md'])
    await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const edit of edits) await apply(folder, edit);
  return join(folder, 'dist/src/main.js');
}
