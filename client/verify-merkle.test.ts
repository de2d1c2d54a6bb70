import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  consistencyPath,
  EMPTY_FRONTIER,
  type Frontier,
  grow,
  hashOfRange,
  inclusionPath,
  leafHash,
  rootOf,
  type Subtree,
} from '../src/kernel/merkle.ts';
import { verifyConsistency, verifyInclusion } from './verify-merkle.ts';

/** A log of so many entries, the roots that it had, and proofs of it. */
function logOf(count: number) {
  const entries = Array.from({ length: count }, (_, index) => Buffer.from(`entry ${index}`));
  const made = new Map<string, Buffer>();
  const keep = ({ height, index }: Subtree, hash: Buffer) =>
    void made.set(`${height} ${index}`, hash);
  const roots = [rootOf(EMPTY_FRONTIER)];
  let tree: Frontier = EMPTY_FRONTIER;
  for (const [index, entry] of entries.entries()) {
    const leaf = leafHash(entry);
    keep({ height: 0, index }, leaf);
    tree = grow(tree, [leaf], keep);
    roots.push(rootOf(tree));
  }
  const hashOf = ({ height, index }: Subtree) => made.get(`${height} ${index}`) as Buffer;
  const root = (size: number) => roots[size] as Buffer;
  return {
    inclusion: (index: number, size: number) => ({
      entry: entries[index] as Buffer,
      index,
      size,
      root: root(size),
      proof: inclusionPath(index, { start: 0, end: size }).map((range) =>
        hashOfRange(range, hashOf),
      ),
    }),
    consistency: (oldSize: number, size: number) => ({
      oldSize,
      oldRoot: root(oldSize),
      size,
      root: root(size),
      proof: consistencyPath(oldSize, size).map((range) => hashOfRange(range, hashOf)),
    }),
  };
}

const SIZE = 65_537;
const log = logOf(SIZE);
/** Small trees, and those around the edges of tiles. */
const size = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537),
  fc.integer({ min: 1, max: SIZE }),
);
const part = fc.nat();

/** The same bytes, one bit of them another. */
function flipped(bytes: Uint8Array, seed: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = Math.floor(seed / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (seed % 8));
  return copy;
}

describe('an inclusion proof', () => {
  it('[log.inclusion] proves every entry of every small tree, and no other place or size', async () => {
    for (let size = 1; size <= 40; size++) {
      for (let index = 0; index < size; index++) {
        const right = log.inclusion(index, size);
        expect(await verifyInclusion(right)).toBe(true);
        const elsewhere = [
          { index: index + 1 },
          { index: index - 1 },
          { index: size },
          { index: 0.5 },
          { size: 0 },
          { size: index },
        ];
        for (const wrong of elsewhere)
          expect(
            await verifyInclusion({ ...right, ...wrong }),
            JSON.stringify([index, size, wrong]),
          ).toBe(false);
      }
    }
  });

  it('[log.inclusion] [log.tampering] proves entries of trees of any size, and nothing with one bit changed, one hash more or one fewer', async () => {
    await fc.assert(
      fc.asyncProperty(size, part, part, async (size, place, seed) => {
        const right = log.inclusion(place % size, size);
        expect(await verifyInclusion(right)).toBe(true);
        const { entry, root, proof } = right;
        const nr = seed % Math.max(1, proof.length);
        const wrongs = [
          { entry: flipped(entry, seed) },
          { root: flipped(root, seed) },
          { proof: [...proof, root] },
          { proof: [root, ...proof] },
          ...(proof.length > 0
            ? [
                { proof: proof.map((hash, index) => (index === nr ? flipped(hash, seed) : hash)) },
                { proof: proof.filter((_, index) => index !== nr) },
                { proof: proof.map((hash, index) => (index === nr ? hash.subarray(1) : hash)) },
              ]
            : []),
        ];
        for (const wrong of wrongs)
          expect(await verifyInclusion({ ...right, ...wrong })).toBe(false);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a consistency proof', () => {
  it('[log.consistency] proves every small tree to be the beginning of every larger one', async () => {
    for (let size = 1; size <= 40; size++) {
      for (let old = 0; old <= size; old++)
        expect(await verifyConsistency(log.consistency(old, size)), `${old} to ${size}`).toBe(true);
      expect(await verifyConsistency({ ...log.consistency(size, size), oldSize: size + 1 })).toBe(
        false,
      );
    }
  });

  it('[log.consistency] [log.tampering] proves it of trees of any size, and nothing with one bit changed, one hash more or one fewer', async () => {
    await fc.assert(
      fc.asyncProperty(size, part, part, async (size, place, seed) => {
        const right = log.consistency(place % (size + 1), size);
        expect(await verifyConsistency(right)).toBe(true);
        const { oldSize, oldRoot, root, proof } = right;
        const nr = seed % Math.max(1, proof.length);
        const wrongs = [
          { oldRoot: flipped(oldRoot, seed) },
          { proof: [...proof, root] },
          { oldSize: size + 1 },
          ...(oldSize > 0 ? [{ root: flipped(root, seed) }] : []),
          ...(proof.length > 0
            ? [
                { proof: proof.map((hash, index) => (index === nr ? flipped(hash, seed) : hash)) },
                { proof: proof.filter((_, index) => index !== nr) },
                { proof: [] },
              ]
            : []),
        ];
        for (const wrong of wrongs)
          expect(await verifyConsistency({ ...right, ...wrong })).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  it('[log.consistency] is refused for another log of the same size', async () => {
    const other = log.consistency(300, 700);
    expect(await verifyConsistency({ ...other, oldRoot: log.consistency(301, 700).oldRoot })).toBe(
      false,
    );
    expect(
      await verifyConsistency({
        ...log.consistency(300, 300),
        oldRoot: log.consistency(301, 301).root,
      }),
    ).toBe(false);
    // Nothing can be said of the end of a log by its empty beginning, but the empty tree has only one root.
    expect(await verifyConsistency({ ...log.consistency(0, 5), oldRoot: other.root })).toBe(false);
  });
});
