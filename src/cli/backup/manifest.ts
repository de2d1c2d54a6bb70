import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAnswer } from '../../../client/src/parse-answer.ts';
import type { StoredSequence, StoredTable } from '../../db/copy/stored-tables.store.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { Int64, nullable, Type } from '../../kernel/schema/schema.ts';
import { createOutputCheck } from '../../kernel/schema/validate.ts';
import { CommandError } from '../describe-error.ts';
import { type PackedFile, toPaths, writeWhole } from './backup-folder.ts';

const FORMAT = 'stoa-backup/1';
/** Those that Stoa writes have some kilobytes, and 64 for each thousand files that were lost. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** What a backup has. It is written last, so a backup with a manifest is complete. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** The version of Stoa that wrote it. */
  readonly stoa: string;
  /** The moment that the backup shows, by the clock of the database. */
  readonly takenAt: string;
  /** The last migration of the database. */
  readonly migration: number;
  readonly service: string;
  readonly realm: string;
  readonly baseUrl: string | null;
  /** How the keys that sign are stored; null when there are none yet. */
  readonly signingKeys: 'sealed' | 'clear' | null;
  readonly tables: readonly (StoredTable & PackedFile)[];
  readonly sequences: readonly StoredSequence[];
  /** The list of the files of messages, one a line: hash, tab, size. */
  readonly fileList: PackedFile;
  /** Hashes of files whose bytes the installation had lost before. */
  readonly lostFiles: readonly string[];
  /** What was wrong with the installation, as sentences. */
  readonly faults: readonly string[];
}

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Packed = { rows: Int64(), bytes: Int64(), sha256: Hash };
/** Names of tables become paths. */
const TableName = Type.String({ pattern: '^[a-z0-9_]{1,63}$' });

/** Finds what a manifest lacks that a restore reads. Its hash only tells of accidents. */
const findFault = createOutputCheck(
  Type.Object({
    takenAt: Type.String(),
    migration: Int64(),
    service: Type.String(),
    realm: Type.String(),
    baseUrl: nullable(Type.String()),
    signingKeys: nullable(Type.String()),
    tables: Type.Array(
      Type.Object({ name: TableName, columns: Type.Array(Type.String()), ...Packed }),
    ),
    sequences: Type.Array(
      Type.Object({
        name: TableName,
        last: nullable(Type.String({ pattern: '^-?[0-9]{1,19}$' })),
      }),
    ),
    fileList: Type.Object(Packed),
    lostFiles: Type.Array(Hash),
    faults: Type.Array(Type.String()),
  }),
);

const hashText = (text: string): string => sha256(Buffer.from(text)).toString('hex');

/** Writes the manifest, which makes the backup complete. */
export async function writeManifest(
  folder: string,
  given: Omit<Manifest, 'format'>,
): Promise<void> {
  const manifest: Manifest = { format: FORMAT, ...given };
  const digest = hashText(JSON.stringify(manifest));
  const text = JSON.stringify({ manifest, sha256: digest }, null, 1);
  await writeWhole(toPaths(folder).manifest, `${text}\n`);
}

/** Reads a regular file. Errors: throws if it is none, or larger than any manifest. */
async function readSmall(path: string): Promise<string> {
  const found = await lstat(path);
  if (!found.isFile() || found.size > MAX_MANIFEST_BYTES)
    throw new Error(`${path} is no manifest.`);
  return readFile(path, 'utf8');
}

/**
 * Reads the manifest of a complete backup. Errors: CommandError when the folder has none, or one
 * that was changed or that this version does not know.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const paths = toPaths(folder);
  const text = await readSmall(paths.manifest).catch(() => null);
  if (text === null) {
    const isUnfinished = (await lstat(paths.unfinished).catch(() => null)) !== null;
    throw new CommandError(
      isUnfinished
        ? `The backup in ${folder} is unfinished: run the backup again into the same folder first.`
        : `There is no backup in ${folder}: ${join(folder, 'manifest.json')} cannot be read.`,
    );
  }
  let parsed: { readonly manifest?: Manifest; readonly sha256?: string };
  try {
    parsed = parseAnswer(text) as typeof parsed;
  } catch {
    parsed = {};
  }
  const { manifest } = parsed;
  if (!manifest || hashText(JSON.stringify(manifest)) !== parsed.sha256)
    throw new CommandError(
      `The backup in ${folder} is damaged: manifest.json is not what was written. ` +
        'Use another copy.',
    );
  if (manifest.format !== FORMAT)
    throw new CommandError(
      `The backup in ${folder} has the format ${manifest.format}, this version of Stoa knows ` +
        `${FORMAT}: restore it with the version ${manifest.stoa} that wrote it.`,
    );
  const fault = findFault(manifest);
  if (fault !== undefined)
    throw new CommandError(
      `The backup in ${folder} was not written by Stoa: in manifest.json, ${fault}. ` +
        'Use a copy that you know the origin of.',
    );
  return manifest;
}
