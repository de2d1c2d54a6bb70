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
  hashNode,
  hashRange,
  hashSubtree,
  type LeafRange,
  listSubtrees,
  type Subtree,
} from './merkle-tree.rules.ts';

/** The tree hash of RFC 6962 (section 2.1), written literally: slow but obviously right. */
function hashTree(leaves: readonly Buffer[]): Buffer {
  if (leaves.length <= 1) return leaves[0] ?? getRoot(EMPTY_FRONTIER);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return hashNode(hashTree(leaves.slice(0, half)), hashTree(leaves.slice(half)));
}

/**
 * Entries and roots from the tests of Certificate Transparency (google/certificate-transparency,
 * merkletree tests).
 */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'));
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const CONSISTENCY: readonly (readonly [old: number, size: number, proof: readonly string[]])[] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

const buildLeaves = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => hashLeaf(Buffer.from(`entry ${index}`)));

/** Grows a tree in steps of these sizes and records every subtree that it completes. */
function growInSteps(leaves: readonly Buffer[], steps: readonly number[]) {
  const hashes = new Map(leaves.map((leaf, index) => [`0 ${index}`, leaf]));
  let tree: Frontier = EMPTY_FRONTIER;
  for (const end of [...steps, leaves.length]) {
    tree = growTree(
      tree,
      leaves.slice(tree.size, end),
      ({ height, index }, hash) => void hashes.set(`${height} ${index}`, hash),
    );
  }
  return {
    tree,
    getHash: ({ height, index }: Subtree) => hashes.get(`${height} ${index}`) as Buffer,
  };
}

describe('a Merkle tree', () => {
  it('[log.hashing] has the roots and proofs of the Certificate Transparency vectors', () => {
    const leaves = ENTRIES.map(hashLeaf);
    expect(
      ROOTS.map((_, size) => getRoot(growInSteps(leaves.slice(0, size), []).tree).toString('hex')),
    ).toEqual(ROOTS);
    const { getHash } = growInSteps(leaves, []);
    for (const [old, size, proof] of CONSISTENCY)
      expect(
        buildConsistencyPath(old, size).map((range) => hashRange(range, getHash).toString('hex')),
      ).toEqual(proof);
  });

  it('[log.hashing] has the same root however it grew, for every size up to 520', () => {
    const leaves = buildLeaves(520);
    fc.assert(
      fc.property(fc.array(fc.nat(520), { maxLength: 8 }), (steps) => {
        const sorted = steps.sort((a, b) => a - b);
        expect(getRoot(growInSteps(leaves, sorted).tree)).toEqual(hashTree(leaves));
      }),
      { numRuns: 30 },
    );
    let tree: Frontier = EMPTY_FRONTIER;
    for (let size = 1; size <= leaves.length; size++) {
      tree = growTree(tree, leaves.slice(size - 1, size), () => {});
      expect(getRoot(tree)).toEqual(hashTree(leaves.slice(0, size)));
    }
  });

  it('[log.hashing] has the hash of every range in proofs, even at the edges of tiles', () => {
    const leaves = buildLeaves(1030);
    const { getHash } = growInSteps(leaves, [3, 256, 700]);
    const expectHash = ({ start, end }: LeafRange) =>
      expect(hashRange({ start, end }, getHash)).toEqual(hashTree(leaves.slice(start, end)));
    for (const size of [1, 2, 3, 7, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 1030]) {
      for (const index of [0, 1, 2, 127, 128, 254, 255, 256, 257, 511, 512, 1023, 1029].filter(
        (one) => one < size,
      )) {
        for (const range of [
          ...buildInclusionPath(index, { start: 0, end: size }),
          ...buildConsistencyPath(index + 1, size),
        ])
          expectHash(range);
      }
    }
  });

  it('[log.hashing] splits into the largest complete subtrees, even beyond 2^32 leaves', () => {
    expect(listSubtrees({ start: 0, end: 11 })).toEqual([
      { height: 3, index: 0 },
      { height: 1, index: 4 },
      { height: 0, index: 10 },
    ]);
    const start = 2 ** 50;
    expect(listSubtrees({ start, end: start + 2 ** 33 + 1 })).toEqual([
      { height: 33, index: 2 ** 17 },
      { height: 0, index: start + 2 ** 33 },
    ]);
    expect(buildInclusionPath(2 ** 52, { start: 0, end: 2 ** 52 + 1 })).toEqual([
      { start: 0, end: 2 ** 52 },
    ]);
    const leaves = buildLeaves(8);
    expect(hashSubtree(leaves)).toEqual(hashTree(leaves));
    expect(hashSubtree(leaves.slice(0, 1))).toEqual(leaves[0]);
  });
});
