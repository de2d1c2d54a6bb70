import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { afterFile } from '../../../test/support/each-file.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { readFileList } from './read-file-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-hostile-backup-'));
afterFile(() => rmSync(folder, { recursive: true }));

const HASH = 'a'.repeat(64);
const packed = { rows: 1, bytes: 1, sha256: HASH };
const manifest: Manifest = {
  format: 'stoa-backup/1',
  stoa: '1.0.0',
  takenAt: '2026-11-28T00:00:00.000Z',
  migration: 88,
  service: 'stoa',
  realm: 'local',
  baseUrl: null,
  signingKeys: null,
  tables: [{ name: 'agents', columns: ['id'], ...packed }],
  sequences: [{ name: 'log_seq', last: '5' }],
  fileList: packed,
  lostFiles: [HASH],
  faults: ['Something was lost.'],
};

/** Writes a manifest with the hash that it should have. */
function forge(change: object): void {
  const forged = { ...manifest, ...change };
  const sha256 = createHash('sha256').update(JSON.stringify(forged)).digest('hex');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ manifest: forged, sha256 }));
}

const forgeries: readonly object[] = [
  { tables: null },
  { tables: [{ name: '../../etc/passwd', columns: [], ...packed }] },
  { tables: [{ name: 'agents', columns: 'id', ...packed }] },
  { migration: -5 },
  { migration: '71; drop table agents' },
  { sequences: [{ name: 'x"; select 1; --', last: '5' }] },
  { sequences: [{ name: 'log_seq', last: 'now()' }] },
  { fileList: { ...packed, sha256: '../x' } },
  { lostFiles: ['../../etc/passwd'] },
];

it('[attack.29-3] (API10) a manifest of another shape is refused in a sentence', async () => {
  forge({});
  expect(await readManifest(folder)).toEqual(manifest);
  for (const change of forgeries) {
    forge(change);
    await expect(readManifest(folder)).rejects.toThrow(/was not written by Stoa: in manifest.json/);
  }
});

it('[attack.61-7] (API10) a manifest is a small file of few levels', async () => {
  const levels = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
  writeFileSync(join(folder, 'manifest.json'), `{"manifest":${levels}}`);
  await expect(readManifest(folder)).rejects.toThrow(/is damaged/);
  rmSync(join(folder, 'manifest.json'));
  symlinkSync('/dev/zero', join(folder, 'manifest.json'));
  await expect(readManifest(folder)).rejects.toThrow(/cannot be read/);
  rmSync(join(folder, 'manifest.json'));
  symlinkSync('/dev/zero', join(folder, 'unfinished.json'));
  await expect(readManifest(folder)).rejects.toThrow(/is unfinished/);
  rmSync(join(folder, 'unfinished.json'));
});

async function readAll(text: string | Buffer): Promise<object[]> {
  writeFileSync(join(folder, 'files.txt.gz'), gzipSync(text));
  const files: object[] = [];
  for await (const file of readFileList(folder)) files.push(file);
  return files;
}

it('[attack.29-3] (API10) a list of files has nothing but hashes and sizes', async () => {
  const other = 'b'.repeat(64);
  expect(await readAll(`${HASH}\t1\n${other}\t20\n`)).toEqual([
    { sha256: HASH, size: 1 },
    { sha256: other, size: 20 },
  ]);
  expect(await readAll('')).toEqual([]);
  for (const text of [
    '../../../../etc/passwd\t10\n',
    `${HASH}\t-1\n`,
    `${HASH}\n`,
    `${HASH}\t1\n\n`,
    // A line that does not end is not read to its end.
    Buffer.alloc(16 * 1024 * 1024, 'a'),
  ])
    await expect(readAll(text)).rejects.toThrow(/is not the list of files of a backup/);
});
