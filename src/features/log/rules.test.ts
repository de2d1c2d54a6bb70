import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entryOf,
  hashesOn,
  idBefore,
  isInTree,
  readTile,
  sliceOf,
  tilePath,
  tilesOf,
} from './rules.ts';

const tile = (level: number | null, index: number, width = 256) => ({ level, index, width });

describe('the address of a tile', () => {
  it('[log.tiles] is written as C2SP writes it', () => {
    expect(tilePath(tile(0, 1_234_067))).toBe('tile/0/x001/x234/067');
    expect(tilePath(tile(3, 0, 17))).toBe('tile/3/000.p/17');
    expect(tilePath(tile(null, 999))).toBe('tile/entries/999');
    expect(tilePath(tile(null, 1000, 1))).toBe('tile/entries/x001/000.p/1');
  });

  it('[log.tiles] is read back, and nothing else is', () => {
    fc.assert(
      fc.property(
        fc.option(fc.nat(63)),
        fc.nat({ max: 2 ** 40 }),
        fc.integer({ min: 1, max: 256 }),
        (level, index, width) => {
          const [, ofLevel = '', ...rest] = tilePath(tile(level, index, width)).split('/');
          expect(readTile(ofLevel, rest.join('/'))).toEqual(tile(level, index, width));
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
      expect(readTile('0', path), path).toBeNull();
    fc.assert(
      fc.property(fc.string(), (path) => {
        const read = readTile('0', path);
        expect(read === null || tilePath(read) === `tile/0/${path}`).toBe(true);
      }),
    );
  });
});

describe('the tiles of a tree', () => {
  it('[log.tiles] are those of the example of the specification: 70,000 entries', () => {
    const size = 70_000;
    const of = (level: number) => [...tilesOf(level, 0, size)].map(({ width }) => width);
    expect([of(0).length, of(0).at(-1), of(0).at(-2)]).toEqual([274, 112, 256]);
    expect([of(1), of(2), of(3)]).toEqual([[256, 17], [1], []]);
    expect([...tilesOf(0, 0, 256)]).toEqual([tile(0, 0)]);
    expect([...tilesOf(1, 0, 256)]).toEqual([tile(1, 0, 1)]);
    expect([...tilesOf(null, 0, 0)]).toEqual([]);
    expect([...tilesOf(null, 300, 600)]).toEqual([tile(null, 1), tile(null, 2, 88)]);
    expect([...tilesOf(null, 512, 512)]).toEqual([]);
  });

  it('[log.tiles-immutable] are in every later tree as well, and partial ones in all their widths', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 200_000 }),
        fc.nat({ max: 200_000 }),
        fc.nat(3),
        (size, more, level) => {
          for (const one of [...tilesOf(level, 0, size)].slice(-2)) {
            expect(isInTree(one, size)).toBe(true);
            expect(isInTree(one, size + more)).toBe(true);
            expect(isInTree({ ...one, width: 1 }, size)).toBe(true);
          }
          expect(isInTree(tile(level, Math.floor(hashesOn(level, size) / 256)), size)).toBe(false);
        },
      ),
    );
    expect(isInTree(tile(63, 0, 1), Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  it('[log.hashing] give the hash of a subtree from those below it', () => {
    expect(sliceOf({ height: 11, index: 3 }, 8)).toEqual({ height: 8, start: 24, count: 8 });
    expect(sliceOf({ height: 11, index: 3 }, 4)).toEqual({ height: 8, start: 24, count: 8 });
    expect(sliceOf({ height: 7, index: 2 }, 4)).toEqual({ height: 4, start: 16, count: 8 });
    expect(sliceOf({ height: 0, index: 9 }, 4)).toEqual({ height: 0, start: 9, count: 1 });
  });
});

describe('an entry', () => {
  it('[log.private] is the digest of a public receipt, and of a private one a digest that its salt changes', () => {
    const digest = Buffer.alloc(32, 1);
    expect(entryOf(digest, null)).toEqual(digest);
    const [one, other] = [
      entryOf(digest, Buffer.alloc(32, 2)),
      entryOf(digest, Buffer.alloc(32, 3)),
    ];
    expect([one.length, one.equals(other), one.equals(digest)]).toEqual([32, false, false]);
  });
});

it('[log.sweep] begins a while before the last act that was looked at', () => {
  expect(idBefore('019ca945-0a00-7000-8190-c620d96f5c6c', 0)).toBe(
    '019ca945-0a00-0000-0000-000000000000',
  );
  expect(idBefore('019ca945-0a00-7000-8190-c620d96f5c6c', 1)).toBe(
    '019ca945-09ff-0000-0000-000000000000',
  );
  expect(idBefore('00000000-0000-7000-8190-c620d96f5c6c', 3_600_000)).toBe(
    '00000000-0000-0000-0000-000000000000',
  );
});
