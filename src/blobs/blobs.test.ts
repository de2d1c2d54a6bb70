import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BUCKET, KEY, startS3 } from '../../test/features/files/s3.ts';
import { freePort } from '../../test/support/service.ts';
import { BlobMissing, type Blobs, BlobsUnavailable, type ByteRange, placeOf } from './blobs.ts';
import { localBlobs } from './local-blobs.ts';
import { type S3Options, s3Blobs } from './s3-blobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-blobs-'));
const store = await startS3();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await store[Symbol.asyncDispose]();
});

const there: S3Options = {
  bucket: BUCKET,
  prefix: 'some/where',
  region: 'us-east-1',
  endpoint: store.endpoint,
  accessKeyId: KEY,
  secretAccessKey: KEY,
  sessionToken: null,
};

const kinds: readonly (readonly [name: string, blobs: Blobs])[] = [
  ['a folder', localBlobs(join(folder, 'stored'))],
  ['an S3-compatible store', s3Blobs(there)],
];

let count = 0;

/** Bytes in a file of this machine, as an upload leaves them. */
function staged(bytes: Buffer): { sha256: string; path: string; size: number } {
  const path = join(folder, `staged-${++count}`);
  writeFileSync(path, bytes);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), path, size: bytes.length };
}

async function put(blobs: Blobs, bytes: Buffer): Promise<string> {
  const { sha256, path, size } = staged(bytes);
  await blobs.put(sha256, path, size);
  return sha256;
}

async function read(blobs: Blobs, sha256: string, range?: ByteRange): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.read(sha256, range)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe.for(kinds)('bytes in %s', ([, blobs]) => {
  const unknown = 'f'.repeat(64);

  it.for([0, 1, 4096, 3_000_000])('[file.stores] %i of them come back', async (size) => {
    const bytes = randomBytes(size);
    const sha256 = await put(blobs, bytes);
    expect(await blobs.has(sha256)).toBe(true);
    expect((await read(blobs, sha256)).equals(bytes)).toBe(true);
  });

  it('[file.stores] come back in parts', async () => {
    const bytes = randomBytes(200_000);
    const sha256 = await put(blobs, bytes);
    for (const [start, end] of [
      // Not [0, 0]: s3rver takes a last byte of 0 for none.
      [0, 1],
      [0, 199_999],
      [100_000, 100_009],
      [199_999, 199_999],
    ] as const)
      expect(
        (await read(blobs, sha256, { start, end })).equals(bytes.subarray(start, end + 1)),
      ).toBe(true);
  });

  it('[file.stores] can be stored again, one after the other and at once', async () => {
    const bytes = randomBytes(100_000);
    const hashes = await Promise.all(Array.from({ length: 5 }, () => put(blobs, bytes)));
    expect(await put(blobs, bytes)).toBe(hashes[0]);
    expect((await read(blobs, hashes[0] ?? '')).equals(bytes)).toBe(true);
  });

  it('[file.stores] are gone when they were deleted, once or twice, and can be stored anew', async () => {
    const bytes = randomBytes(1000);
    const sha256 = await put(blobs, bytes);
    for (let times = 0; times < 2; times++) await blobs.delete(sha256);
    expect(await blobs.has(sha256)).toBe(false);
    await expect(read(blobs, sha256)).rejects.toThrow(BlobMissing);
    await put(blobs, bytes);
    expect((await read(blobs, sha256)).equals(bytes)).toBe(true);
  });

  it('[file.stores] that were never there are missing, which is no failure of the store', async () => {
    expect(await blobs.has(unknown)).toBe(false);
    await expect(read(blobs, unknown)).rejects.toThrow(BlobMissing);
    await expect(read(blobs, unknown, { start: 0, end: 1 })).rejects.toThrow(BlobMissing);
    await blobs.delete(unknown);
  });

  it('[file.stores] are replaced when they are not whole', async () => {
    const bytes = randomBytes(1000);
    const { sha256 } = staged(bytes);
    const cut = staged(bytes.subarray(0, 10));
    // As after damage from outside; the store of objects would not take what does not fit its hash.
    if (blobs === kinds[0]?.[1]) {
      await blobs.put(sha256, cut.path, 10);
      expect(await read(blobs, sha256)).toHaveLength(10);
    }
    await put(blobs, bytes);
    expect((await read(blobs, sha256)).equals(bytes)).toBe(true);
  });

  it('[file.stores] let a reader leave early', async () => {
    const sha256 = await put(blobs, randomBytes(3_000_000));
    for await (const piece of blobs.read(sha256)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await blobs.delete(sha256);
  });
});

describe('a store that cannot work', () => {
  const { sha256 } = staged(Buffer.from('x'));
  const broken: readonly (readonly [string, () => Promise<Blobs>])[] = [
    [
      'is nowhere',
      async () => s3Blobs({ ...there, endpoint: `http://127.0.0.1:${await freePort()}` }),
    ],
    ['refuses the key', async () => s3Blobs({ ...there, accessKeyId: 'unknown' })],
    [
      'is a folder that is a file',
      async () => localBlobs(join(staged(Buffer.from('y')).path, 'stored')),
    ],
  ];

  it.for(broken)(
    '[file.stores] because it %s is told from one that has not the bytes',
    async ([, make]) => {
      const blobs = await make();
      await expect(put(blobs, Buffer.from('x'))).rejects.toThrow(BlobsUnavailable);
      await expect(blobs.has(sha256)).rejects.toThrow(BlobsUnavailable);
      await expect(read(blobs, sha256)).rejects.toThrow(BlobsUnavailable);
      await expect(blobs.delete(sha256)).rejects.toThrow(BlobsUnavailable);
    },
  );

  it('[file.stores] because its disk fails while it reads is told from one that has not the bytes', async () => {
    const place = join(folder, 'broken');
    mkdirSync(join(place, placeOf(sha256)), { recursive: true });
    // A folder can be opened as a file can, and not be read.
    await expect(read(localBlobs(place), sha256)).rejects.toThrow(BlobsUnavailable);
  });

  it('[file.stores] because it has no such bucket takes nothing', async () => {
    await expect(put(s3Blobs({ ...there, bucket: 'nowhere' }), Buffer.from('x'))).rejects.toThrow(
      BlobsUnavailable,
    );
  });
});
