import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildIdBefore,
  countHashes,
  formatTilePath,
  isInTree,
  listTreeTiles,
  parseTile,
  toLogEntry,
  toSlice,
} from './rules.ts';

const buildTile = (level: number | null, index: number, width = 256) => ({ level, index, width });

describe('the address of a tile', () => {
  it('[log.tiles] is written as C2SP writes it', () => {
    expect(formatTilePath(buildTile(0, 1_234_067))).toBe('tile/0/x001/x234/067');
    expect(formatTilePath(buildTile(3, 0, 17))).toBe('tile/3/000.p/17');
    expect(formatTilePath(buildTile(null, 999))).toBe('tile/entries/999');
    expect(formatTilePath(buildTile(null, 1000, 1))).toBe('tile/entries/x001/000.p/1');
  });

  it('[log.tiles] is parsed back, and nothing else is accepted', () => {
    fc.assert(
      fc.property(
        fc.option(fc.nat(63)),
        fc.nat({ max: 2 ** 40 }),
        fc.integer({ min: 1, max: 256 }),
        (level, index, width) => {
          const [, levelName = '', ...rest] = formatTilePath(buildTile(level, index, width)).split(
            '/',
          );
          expect(parseTile(levelName, rest.join('/'))).toEqual(buildTile(level, index, width));
        },
      ),
    );
    for (const path of [
      '',
      '0',
      '0000',
      'x000/000',
      'x001',
      '000/',
      '/000',
      '000.p/0',
      '000.p/256',
      '000.p/001',
      '000.p/999',
      '000.p/-1',
      '000x',
      'x1/000',
      ' 000',
      '000\n',
    ])
      expect(parseTile('0', path), path).toBeNull();
    fc.assert(
      fc.property(fc.string(), (path) => {
        const read = parseTile('0', path);
        expect(read === null || formatTilePath(read) === `tile/0/${path}`).toBe(true);
      }),
    );
  });
});

describe('the tiles of a tree', () => {
  it('[log.tiles] match the example in the specification: 70,000 entries', () => {
    const size = 70_000;
    const listWidths = (level: number) =>
      [...listTreeTiles(level, 0, size)].map(({ width }) => width);
    expect({
      length: listWidths(0).length,
      last: listWidths(0).at(-1),
      beforeLast: listWidths(0).at(-2),
    }).toEqual({ length: 274, last: 112, beforeLast: 256 });
    expect({ level1: listWidths(1), level2: listWidths(2), level3: listWidths(3) }).toEqual({
      level1: [256, 17],
      level2: [1],
      level3: [],
    });
    expect([...listTreeTiles(0, 0, 256)]).toEqual([buildTile(0, 0)]);
    expect([...listTreeTiles(1, 0, 256)]).toEqual([buildTile(1, 0, 1)]);
    expect([...listTreeTiles(null, 0, 0)]).toEqual([]);
    expect([...listTreeTiles(null, 300, 600)]).toEqual([
      buildTile(null, 1),
      buildTile(null, 2, 88),
    ]);
    expect([...listTreeTiles(null, 512, 512)]).toEqual([]);
  });

  it('[log.tiles-immutable] stay in every later tree, and so do narrower partial tiles', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 200_000 }),
        fc.nat({ max: 200_000 }),
        fc.nat(3),
        (size, more, level) => {
          for (const one of [...listTreeTiles(level, 0, size)].slice(-2)) {
            expect(isInTree(one, size)).toBe(true);
            expect(isInTree(one, size + more)).toBe(true);
            expect(isInTree({ ...one, width: 1 }, size)).toBe(true);
          }
          expect(isInTree(buildTile(level, Math.floor(countHashes(level, size) / 256)), size)).toBe(
            false,
          );
        },
      ),
    );
    expect(isInTree(buildTile(63, 0, 1), Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  it('[log.hashing] find the stored hashes from which the hash of a subtree is computed', () => {
    expect(toSlice({ height: 11, index: 3 }, 8)).toEqual({ height: 8, start: 24, count: 8 });
    expect(toSlice({ height: 11, index: 3 }, 4)).toEqual({ height: 8, start: 24, count: 8 });
    expect(toSlice({ height: 7, index: 2 }, 4)).toEqual({ height: 4, start: 16, count: 8 });
    expect(toSlice({ height: 0, index: 9 }, 4)).toEqual({ height: 0, start: 9, count: 1 });
  });
});

describe('an entry', () => {
  it('[log.private] is the digest of a receipt, salted when the receipt is private', () => {
    const digest = Buffer.alloc(32, 1);
    expect(toLogEntry(digest, null)).toEqual(digest);
    const one = toLogEntry(digest, Buffer.alloc(32, 2));
    const other = toLogEntry(digest, Buffer.alloc(32, 3));
    expect({
      length: one.length,
      equalsOther: one.equals(other),
      equalsDigest: one.equals(digest),
    }).toEqual({ length: 32, equalsOther: false, equalsDigest: false });
  });
});

it('[log.sweep] begins a while before the last receipt that was checked', () => {
  expect(buildIdBefore('019ca945-0a00-7000-8190-c620d96f5c6c', 0)).toBe(
    '019ca945-0a00-0000-0000-000000000000',
  );
  expect(buildIdBefore('019ca945-0a00-7000-8190-c620d96f5c6c', 1)).toBe(
    '019ca945-09ff-0000-0000-000000000000',
  );
  expect(buildIdBefore('00000000-0000-7000-8190-c620d96f5c6c', 3_600_000)).toBe(
    '00000000-0000-0000-0000-000000000000',
  );
});
