import { randomBytes } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError, findSystemCode } from './embedded-errors.ts';

const NOTE_NAME = 'database-is-elsewhere.txt';
const BACK_NAME = 'belongs-to.txt';

/**
 * Finds the folder that the note in DATA_DIR names; undefined without a note. `root` is DATA_DIR as
 * an absolute path without symlinks. A note is never ignored: an empty database in place of the
 * real one would look like lost data.
 * Errors: EmbeddedServerError when the note's folder is gone or belongs to another DATA_DIR.
 */
export async function readNote(root: string): Promise<string | undefined> {
  const folder = await readFolder(join(root, NOTE_NAME));
  if (folder === undefined) return undefined;
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) {
    throw new EmbeddedServerError(
      `${join(root, NOTE_NAME)} says that the database is in ${folder}, which does not ` +
        'exist: restore that folder, or delete the note to begin with an empty database.',
    );
  }
  const owner = await readFolder(join(folder, BACK_NAME));
  if (owner === root) return folder;
  if (owner !== undefined && (await readFolder(join(owner, NOTE_NAME))) === folder) {
    throw new EmbeddedServerError(
      `The database in ${folder} belongs to ${owner}, and ${root} is a copy of that: delete ` +
        `${join(root, NOTE_NAME)} to begin with an empty database, or start Stoa with ` +
        `DATA_DIR=${owner}.`,
    );
  }
  // DATA_DIR was moved, so the folder's reference to it is updated.
  await replaceFile(join(folder, BACK_NAME), buildBackText(root));
  return folder;
}

/** Writes the note in DATA_DIR, after its counterpart in the folder that the note names. */
export async function writeNote(
  root: string,
  folder: string,
  user: string,
  blocker: string,
): Promise<void> {
  await replaceFile(join(folder, BACK_NAME), buildBackText(root));
  const text = [
    "Stoa's database for this folder is stored elsewhere, because it runs as the user",
    `"${user}", who cannot enter ${blocker}.`,
    'Do not delete this note: without it Stoa may begin with an empty database.',
    'A backup of this folder alone does not contain the database.',
    '',
    `folder: ${folder}`,
    '',
  ];
  await replaceFile(join(root, NOTE_NAME), text.join('\n'));
}

const buildBackText = (root: string): string =>
  `Stoa's database for the folder below.\n\nfolder: ${root}\n`;

async function readFolder(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (findSystemCode(error) === 'ENOENT') return '';
    throw new EmbeddedServerError(
      `Stoa cannot read ${path}, which names the folder of the database: start Stoa as the user ` +
        'who started it first.',
      { cause: error },
    );
  });
  return /^folder: (.+)$/m.exec(text)?.[1];
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o644, flush: true });
  await rename(draft, path);
}
