import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../../client/src/receipts/checkpoint.ts';
import {
  EMPTY_FRONTIER,
  getRoot,
  growTree,
  hashLeaf,
  type Subtree,
} from '../../features/log/merkle-tree.rules.ts';
import {
  buildBundle,
  countHashes,
  formatTilePath,
  listTreeTiles,
  TILE_WIDTH,
  type Tile,
} from '../../features/log/rules.ts';
import { checkLog, LogFault, type ReadTile } from './check-log.ts';

/** A log in memory, as its tiles and the checkpoints that it had. */
function buildLog(entries: readonly Buffer[]) {
  const hashes = new Map<string, Buffer>();
  const keep = ({ height, index }: Subtree, hash: Buffer) =>
    void hashes.set(`${height} ${index}`, hash);
  const leaves = entries.map(hashLeaf);
  for (const [index, leaf] of leaves.entries()) keep({ height: 0, index }, leaf);
  growTree(EMPTY_FRONTIER, leaves, keep);
  const read: ReadTile = async ({ level, index, width }) => {
    const places = Array.from({ length: width }, (_, nr) => index * TILE_WIDTH + nr);
    return level === null
      ? buildBundle(places.map((place) => entries[place] as Buffer))
      : Buffer.concat(places.map((place) => hashes.get(`${level * 8} ${place}`) as Buffer));
  };
  const checkpoint = (size: number): Checkpoint => ({
    origin: 'stoa.example.org/log',
    size,
    root: new Uint8Array(getRoot(growTree(EMPTY_FRONTIER, leaves.slice(0, size), () => {}))),
  });
  return { read, checkpoint };
}

const SIZE = 66_000;
const buildEntries = (count: number, seed = 0) =>
  Array.from({ length: count }, (_, index) => Buffer.alloc(32, `${seed} ${index}`));
const log = buildLog(buildEntries(SIZE));
const small = buildLog(buildEntries(700));

const checkOutcome = (read: ReadTile, old: Checkpoint | null, now: Checkpoint): Promise<string> =>
  checkLog(read, old, now).then(
    () => 'ok',
    (error: unknown) => (error instanceof LogFault ? error.code : String(error)),
  );

/** Tiles that are read, with one bit of one of them changed. */
const flipTile =
  (read: ReadTile, path: string, bit: number): ReadTile =>
  async (tile) => {
    const bytes = Buffer.from(await read(tile));
    if (formatTilePath(tile) === path)
      bytes[Math.floor(bit / 8) % bytes.length] =
        (bytes[Math.floor(bit / 8) % bytes.length] ?? 0) ^ (1 << (bit % 8));
    return bytes;
  };

const listAllTiles = (size: number): Tile[] => [
  ...listTreeTiles(null, 0, size),
  ...[0, 1, 2, 3]
    .filter((level) => countHashes(level, size) > 0)
    .flatMap((level) => [...listTreeTiles(level, 0, size)]),
];

describe('checking a log', () => {
  it('[log.verify] finds no fault in a log of any size, since any checkpoint', async () => {
    for (const size of [0, 1, 2, 255, 256, 257, 511, 512, 700]) {
      expect(await checkOutcome(small.read, null, small.checkpoint(size))).toBe('ok');
      for (const old of [0, 1, 100, 255, 256, 257, 512, 700].filter((one) => one <= size))
        expect(
          await checkOutcome(small.read, small.checkpoint(old), small.checkpoint(size)),
          `${old} to ${size}`,
        ).toBe('ok');
    }
    for (const old of [0, 65_535, 65_536, 65_537, SIZE])
      expect(await checkOutcome(log.read, log.checkpoint(old), log.checkpoint(SIZE))).toBe('ok');
    expect(await checkOutcome(log.read, null, log.checkpoint(SIZE))).toBe('ok');
  });

  it('[log.verify] reads only what is new, and what connects it with the old', async () => {
    const read: string[] = [];
    const countReads: ReadTile = (tile) => {
      read.push(formatTilePath(tile));
      return log.read(tile);
    };
    await checkLog(countReads, log.checkpoint(65_000), log.checkpoint(SIZE));
    expect(read.filter((path) => path.startsWith('tile/entries')).length).toBe(5);
    expect(read.length).toBeLessThan(20);
    expect(new Set(read).size).toBe(read.length);
  });

  it('[log.verify] [log.tampering] finds what was rewritten, cut or replaced', async () => {
    const entries = buildEntries(700);
    const changeEntry = (index: number) =>
      buildLog(entries.map((entry, nr) => (nr === index ? Buffer.alloc(32, 'forged') : entry)));
    for (const index of [0, 299, 300]) {
      const forged = changeEntry(index);
      expect(await checkOutcome(forged.read, small.checkpoint(300), forged.checkpoint(700))).toBe(
        index < 300 ? 'rewritten' : 'ok',
      );
      expect(await checkOutcome(forged.read, small.checkpoint(700), forged.checkpoint(700))).toBe(
        'root_changed',
      );
    }
    const removed = buildLog(entries.filter((_, nr) => nr !== 10));
    expect(await checkOutcome(removed.read, small.checkpoint(300), removed.checkpoint(699))).toBe(
      'rewritten',
    );
    expect(await checkOutcome(small.read, small.checkpoint(700), small.checkpoint(699))).toBe(
      'shrunk',
    );
    // The log signed one tree and shows another one.
    expect(
      await checkOutcome(changeEntry(650).read, small.checkpoint(640), small.checkpoint(700)),
    ).toBe('rewritten');
    expect(await checkOutcome(changeEntry(650).read, null, small.checkpoint(700))).toBe(
      'root_mismatch',
    );
    const shortenTile: ReadTile = async (tile) => (await small.read(tile)).subarray(1);
    expect(await checkOutcome(shortenTile, null, small.checkpoint(700))).toBe('tile_size');
  });

  it('[log.tampering] names any one bit of any tile that is changed', async () => {
    const tiles = listAllTiles(700);
    expect(tiles.map(formatTilePath)).toContain('tile/1/000.p/2');
    const faults = ['entry_mismatch', 'tile_mismatch', 'root_mismatch', 'rewritten'];
    await fc.assert(
      fc.asyncProperty(fc.nat(tiles.length - 1), fc.nat(TILE_WIDTH * 34 * 8), async (nr, bit) => {
        const path = formatTilePath(tiles[nr] as Tile);
        expect(faults, `${path}, bit ${bit}`).toContain(
          await checkOutcome(flipTile(small.read, path, bit), null, small.checkpoint(700)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('[log.tampering] names any one bit of either checkpoint that is changed', async () => {
    const faults = [
      'entry_mismatch',
      'tile_mismatch',
      'root_mismatch',
      'rewritten',
      'root_changed',
    ];
    for (let bit = 0; bit < 256; bit++) {
      const flip = ({ root, ...rest }: Checkpoint): Checkpoint => ({
        ...rest,
        root: root.map((byte, at) => (at === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte)),
      });
      const old = small.checkpoint(300);
      const now = small.checkpoint(400);
      expect(faults).toContain(await checkOutcome(small.read, flip(old), now));
      expect(faults).toContain(await checkOutcome(small.read, old, flip(now)));
      expect(faults).toContain(await checkOutcome(small.read, null, flip(now)));
    }
  });
});
