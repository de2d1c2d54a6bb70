import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildConsistencyPath,
  buildInclusionPath,
  EMPTY_FRONTIER,
  type Frontier,
  getRoot,
  growTree,
  hashLeaf,
  hashRange,
  type Subtree,
} from '../../../src/features/log/merkle-tree.rules.ts';
import { verifyConsistency, verifyInclusion } from './verify-merkle.ts';

/** Builds a log with so many entries, and functions that build proofs of it. */
function buildLog(count: number) {
  const entries = Array.from({ length: count }, (_, index) => Buffer.from(`entry ${index}`));
  const hashes = new Map<string, Buffer>();
  const keep = ({ height, index }: Subtree, hash: Buffer) =>
    void hashes.set(`${height} ${index}`, hash);
  const roots = [getRoot(EMPTY_FRONTIER)];
  let tree: Frontier = EMPTY_FRONTIER;
  for (const [index, entry] of entries.entries()) {
    const leaf = hashLeaf(entry);
    keep({ height: 0, index }, leaf);
    tree = growTree(tree, [leaf], keep);
    roots.push(getRoot(tree));
  }
  const getHash = ({ height, index }: Subtree) => hashes.get(`${height} ${index}`) as Buffer;
  const root = (size: number) => roots[size] as Buffer;
  return {
    inclusion: (index: number, size: number) => ({
      entry: entries[index] as Buffer,
      index,
      size,
      root: root(size),
      proof: buildInclusionPath(index, { start: 0, end: size }).map((range) =>
        hashRange(range, getHash),
      ),
    }),
    consistency: (oldSize: number, size: number) => ({
      oldSize,
      oldRoot: root(oldSize),
      size,
      root: root(size),
      proof: buildConsistencyPath(oldSize, size).map((range) => hashRange(range, getHash)),
    }),
  };
}

const SIZE = 65_537;
const log = buildLog(SIZE);
/** Sizes of small trees and of trees around the edges of tiles. */
const size = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537),
  fc.integer({ min: 1, max: SIZE }),
);
const part = fc.nat();

/** Returns a copy of the bytes with one changed bit. */
function flipBit(bytes: Uint8Array, seed: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = Math.floor(seed / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (seed % 8));
  return copy;
}

describe('an inclusion proof', () => {
  it('[log.inclusion] proves every entry of small trees, and no other index or size', async () => {
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

  it('[log.inclusion] [log.tampering] proves entries of any tree, but no changes', async () => {
    await fc.assert(
      fc.asyncProperty(size, part, part, async (size, place, seed) => {
        const right = log.inclusion(place % size, size);
        expect(await verifyInclusion(right)).toBe(true);
        const { entry, root, proof } = right;
        const nr = seed % Math.max(1, proof.length);
        const wrongs = [
          { entry: flipBit(entry, seed) },
          { root: flipBit(root, seed) },
          { proof: [...proof, root] },
          { proof: [root, ...proof] },
          ...(proof.length > 0
            ? [
                { proof: proof.map((hash, index) => (index === nr ? flipBit(hash, seed) : hash)) },
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
  it('[log.consistency] proves that every small tree begins every larger one', async () => {
    for (let size = 1; size <= 40; size++) {
      for (let old = 0; old <= size; old++)
        expect(await verifyConsistency(log.consistency(old, size)), `${old} to ${size}`).toBe(true);
      expect(await verifyConsistency({ ...log.consistency(size, size), oldSize: size + 1 })).toBe(
        false,
      );
    }
  });

  it('[log.consistency] [log.tampering] proves it for any tree, but no changes', async () => {
    await fc.assert(
      fc.asyncProperty(size, part, part, async (size, place, seed) => {
        const right = log.consistency(place % (size + 1), size);
        expect(await verifyConsistency(right)).toBe(true);
        const { oldSize, oldRoot, root, proof } = right;
        const nr = seed % Math.max(1, proof.length);
        const wrongs = [
          { oldRoot: flipBit(oldRoot, seed) },
          { proof: [...proof, root] },
          { oldSize: size + 1 },
          ...(oldSize > 0 ? [{ root: flipBit(root, seed) }] : []),
          ...(proof.length > 0
            ? [
                { proof: proof.map((hash, index) => (index === nr ? flipBit(hash, seed) : hash)) },
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
    // An empty beginning proves nothing about the end of a log, but the empty tree has only one
    // root.
    expect(await verifyConsistency({ ...log.consistency(0, 5), oldRoot: other.root })).toBe(false);
  });
});
