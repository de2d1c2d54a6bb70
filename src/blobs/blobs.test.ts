import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BUCKET, KEY, startS3 } from '../../test/features/files/s3.ts';
import { findFreePort } from '../../test/support/service.ts';
import { BlobMissing, type Blobs, BlobsUnavailable, type ByteRange, toBlobPath } from './blobs.ts';
import { createLocalBlobs } from './local-blobs.ts';
import { createS3Blobs, type S3Options } from './s3-blobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-blobs-'));
const store = await startS3();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await store[Symbol.asyncDispose]();
});

const s3Options: S3Options = {
  bucket: BUCKET,
  prefix: 'some/where',
  region: 'us-east-1',
  endpoint: store.endpoint,
  accessKeyId: KEY,
  secretAccessKey: KEY,
  sessionToken: null,
};

const kinds: readonly (readonly [name: string, blobs: Blobs])[] = [
  ['a folder', createLocalBlobs(join(folder, 'stored'))],
  ['an S3-compatible store', createS3Blobs(s3Options)],
];

let count = 0;

/** Writes bytes to a local file, as an upload does. */
function stageBytes(bytes: Buffer): { sha256: string; path: string; size: number } {
  const path = join(folder, `staged-${++count}`);
  writeFileSync(path, bytes);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), path, size: bytes.length };
}

async function putBytes(blobs: Blobs, bytes: Buffer): Promise<string> {
  const { sha256, path, size } = stageBytes(bytes);
  await blobs.put(sha256, path, size);
  return sha256;
}

async function readBytes(blobs: Blobs, sha256: string, range?: ByteRange): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.read(sha256, range)) pieces.push(piece);
  return Buffer.concat(pieces);
}

it('[attack.17-4] bytes that a folder has are written like others', async () => {
  const stored = join(folder, 'twice');
  const blobs = createLocalBlobs(stored);
  const bytes = randomBytes(100);
  const findFile = async () => statSync(join(stored, toBlobPath(await putBytes(blobs, bytes)))).ino;
  expect(await findFile()).not.toBe(await findFile());
});

describe.for(kinds)('bytes in %s', ([, blobs]) => {
  const unknown = 'f'.repeat(64);

  it.for([0, 1, 4096, 3_000_000])('[file.stores] %i of them come back', async (size) => {
    const bytes = randomBytes(size);
    const sha256 = await putBytes(blobs, bytes);
    expect(await blobs.has(sha256)).toBe(true);
    expect((await readBytes(blobs, sha256)).equals(bytes)).toBe(true);
  });

  it('[file.stores] come back in parts', async () => {
    const bytes = randomBytes(200_000);
    const sha256 = await putBytes(blobs, bytes);
    for (const [start, end] of [
      // The range [0, 0] is left out, because s3rver treats a last byte of 0 as none.
      [0, 1],
      [0, 199_999],
      [100_000, 100_009],
      [199_999, 199_999],
    ] as const)
      expect(
        (await readBytes(blobs, sha256, { start, end })).equals(bytes.subarray(start, end + 1)),
      ).toBe(true);
  });

  it('[file.stores] can be stored again, one after the other and at once', async () => {
    const bytes = randomBytes(100_000);
    const hashes = await Promise.all(Array.from({ length: 5 }, () => putBytes(blobs, bytes)));
    expect(await putBytes(blobs, bytes)).toBe(hashes[0]);
    expect((await readBytes(blobs, hashes[0] ?? '')).equals(bytes)).toBe(true);
  });

  it('[file.stores] are gone once deleted, and can be stored again', async () => {
    const bytes = randomBytes(1000);
    const sha256 = await putBytes(blobs, bytes);
    for (let times = 0; times < 2; times++) await blobs.delete(sha256);
    expect(await blobs.has(sha256)).toBe(false);
    await expect(readBytes(blobs, sha256)).rejects.toThrow(BlobMissing);
    await putBytes(blobs, bytes);
    expect((await readBytes(blobs, sha256)).equals(bytes)).toBe(true);
  });

  it('[file.stores] that were never stored are missing', async () => {
    expect(await blobs.has(unknown)).toBe(false);
    await expect(readBytes(blobs, unknown)).rejects.toThrow(BlobMissing);
    await expect(readBytes(blobs, unknown, { start: 0, end: 1 })).rejects.toThrow(BlobMissing);
    await blobs.delete(unknown);
  });

  it('[file.stores] are replaced when they are incomplete', async () => {
    const bytes = randomBytes(1000);
    const { sha256 } = stageBytes(bytes);
    const cut = stageBytes(bytes.subarray(0, 10));
    // A local file can be damaged from outside. The object store rejects bytes with another hash.
    if (blobs === kinds[0]?.[1]) {
      await blobs.put(sha256, cut.path, 10);
      expect(await readBytes(blobs, sha256)).toHaveLength(10);
    }
    await putBytes(blobs, bytes);
    expect((await readBytes(blobs, sha256)).equals(bytes)).toBe(true);
  });

  it('[file.stores] let a reader leave early', async () => {
    const sha256 = await putBytes(blobs, randomBytes(3_000_000));
    for await (const piece of blobs.read(sha256)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await blobs.delete(sha256);
  });
});

describe('a store that cannot work', () => {
  const { sha256 } = stageBytes(Buffer.from('x'));
  const broken: readonly (readonly [string, () => Promise<Blobs>])[] = [
    [
      'is nowhere',
      async () =>
        createS3Blobs({ ...s3Options, endpoint: `http://127.0.0.1:${await findFreePort()}` }),
    ],
    ['refuses the key', async () => createS3Blobs({ ...s3Options, accessKeyId: 'unknown' })],
    [
      'is a folder that is a file',
      async () => createLocalBlobs(join(stageBytes(Buffer.from('y')).path, 'stored')),
    ],
  ];

  it.for(broken)(
    '[file.stores] because it %s differs from one without the bytes',
    async ([, make]) => {
      const blobs = await make();
      await expect(putBytes(blobs, Buffer.from('x'))).rejects.toThrow(BlobsUnavailable);
      await expect(blobs.has(sha256)).rejects.toThrow(BlobsUnavailable);
      await expect(readBytes(blobs, sha256)).rejects.toThrow(BlobsUnavailable);
      await expect(blobs.delete(sha256)).rejects.toThrow(BlobsUnavailable);
    },
  );

  it('[file.stores] because its disk fails differs from one without the bytes', async () => {
    const place = join(folder, 'broken');
    mkdirSync(join(place, toBlobPath(sha256)), { recursive: true });
    // A folder can be opened like a file, but not read.
    await expect(readBytes(createLocalBlobs(place), sha256)).rejects.toThrow(BlobsUnavailable);
  });

  it('[file.stores] because the bucket is missing accepts nothing', async () => {
    await expect(
      putBytes(createS3Blobs({ ...s3Options, bucket: 'nowhere' }), Buffer.from('x')),
    ).rejects.toThrow(BlobsUnavailable);
  });
});
