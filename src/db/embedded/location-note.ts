import { randomBytes } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, EmbeddedServerError } from './embedded-errors.ts';

const noteName = 'database-is-elsewhere.txt';
const backName = 'belongs-to.txt';

/**
 * The folder that DATA_DIR's note names, or undefined without a note.
 * A note is never passed over: an empty database in place of the real one would look like lost data.
 * @param root DATA_DIR, absolute, without symlinks
 * @throws EmbeddedServerError when the note's folder is gone or belongs to another DATA_DIR
 */
export async function readNote(root: string): Promise<string | undefined> {
  const folder = await folderIn(join(root, noteName));
  if (folder === undefined) return undefined;
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) {
    throw new EmbeddedServerError(
      `${join(root, noteName)} says that the database is in ${folder}, which does not exist: bring that folder back, or delete the note to begin with an empty database.`,
    );
  }
  const owner = await folderIn(join(folder, backName));
  if (owner === root) return folder;
  if (owner !== undefined && (await folderIn(join(owner, noteName))) === folder) {
    throw new EmbeddedServerError(
      `The database in ${folder} belongs to ${owner}, of which ${root} is a copy: delete ${join(root, noteName)} to begin with an empty database, or start Stoa with DATA_DIR=${owner}.`,
    );
  }
  // DATA_DIR was moved.
  await replace(join(folder, backName), backText(root));
  return folder;
}

/** Writes the note in DATA_DIR, after its counterpart in the folder that it names. */
export async function writeNote(
  root: string,
  folder: string,
  user: string,
  blocker: string,
): Promise<void> {
  await replace(join(folder, backName), backText(root));
  const text = [
    "Stoa's database for this folder is kept elsewhere, because it runs as the user",
    `"${user}", who cannot enter ${blocker}.`,
    'Do not delete this note: without it Stoa may begin with an empty database.',
    'A backup of this folder alone does not hold the database.',
    '',
    `folder: ${folder}`,
    '',
  ];
  await replace(join(root, noteName), text.join('\n'));
}

const backText = (root: string): string =>
  `Stoa's database for the folder below.\n\nfolder: ${root}\n`;

async function folderIn(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw new EmbeddedServerError(
      `Stoa cannot read ${path}, which says where the database is: start it as the user who started it first.`,
      { cause: error },
    );
  });
  return /^folder: (.+)$/m.exec(text)?.[1];
}

async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o644, flush: true });
  await rename(draft, path);
}
