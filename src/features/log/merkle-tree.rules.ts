import { hash } from 'node:crypto';

/*
 * Merkle trees with SHA-256 as RFC 6962 (section 2.1) defines them. Sizes and indices are integers
 * below 2^53. The code never shifts them, because that would truncate them to 32 bits.
 */

/** The length of a hash in bytes. */
export const HASH_BYTES = 32;

const leafPrefix = Buffer.of(0);
const nodeInput = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** Computes the hash of an entry as a leaf (RFC 6962, section 2.1). */
export const hashLeaf = (entry: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([leafPrefix, entry]), 'buffer');

/** Computes the hash of a node from those of its children (RFC 6962, section 2.1). */
export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1);
  nodeInput.set(right, 1 + HASH_BYTES);
  return hash('sha256', nodeInput, 'buffer');
}

/**
 * Combines the hashes of adjacent complete subtrees, the largest first, to the hash of their range.
 */
const combineHashes = (hashes: readonly Buffer[]): Buffer =>
  hashes.length === 0
    ? hash('sha256', '', 'buffer')
    : hashes.reduceRight((right, left) => hashNode(left, right));

/** Computes the hash of a complete subtree from its 1, 2, 4, ... nodes of one height. */
export function hashSubtree(nodes: readonly Buffer[]): Buffer {
  let level = nodes;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2)
      above.push(hashNode(level[index] as Buffer, level[index + 1] as Buffer));
    level = above;
  }
  return level[0] as Buffer;
}

/** A complete subtree: the 2^height leaves from index * 2^height on. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** The leaves from `start` up to but not including `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Lists the complete subtrees of a range, the largest first. The range must start at a multiple of
 * the size of its largest subtree, as all ranges in proofs do.
 */
export function listSubtrees({ start, end }: LeafRange): Subtree[] {
  const found: Subtree[] = [];
  let rest = end - start;
  for (let height = 0, bit = 1, last = end; rest > 0; height++, bit *= 2) {
    if (rest % (2 * bit) === 0) continue;
    last -= bit;
    rest -= bit;
    found.unshift({ height, index: last / bit });
  }
  return found;
}

/**
 * Computes MTH of RFC 6962 (section 2.1) over a range from the hashes of its complete subtrees.
 */
export const hashRange = (range: LeafRange, getHash: (subtree: Subtree) => Buffer): Buffer =>
  combineHashes(listSubtrees(range).map(getHash));

/** Finds the largest power of two below `size`, which must be at least 2. */
function findSplit(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/**
 * Builds PATH of RFC 6962 (section 2.1.1): the ranges whose hashes, in this order, prove that a
 * leaf is in the given range.
 */
export function buildInclusionPath(index: number, { start, end }: LeafRange): LeafRange[] {
  if (end - start <= 1) return [];
  const middle = start + findSplit(end - start);
  return index < middle
    ? [...buildInclusionPath(index, { start, end: middle }), { start: middle, end }]
    : [...buildInclusionPath(index, { start: middle, end }), { start, end: middle }];
}

/**
 * Builds SUBPROOF of RFC 6962 (section 2.1.2). `whole` is true while the range begins with the
 * whole old tree, whose hash the verifier knows.
 */
function buildSubproof(old: number, { start, end }: LeafRange, whole: boolean): LeafRange[] {
  if (old === end) return whole ? [] : [{ start, end }];
  const middle = start + findSplit(end - start);
  return old <= middle
    ? [...buildSubproof(old, { start, end: middle }, whole), { start: middle, end }]
    : [...buildSubproof(old, { start: middle, end }, false), { start, end: middle }];
}

/**
 * Builds PROOF of RFC 6962 (section 2.1.2): the ranges whose hashes prove that the tree of size
 * `old` is a prefix of the tree of size `size`.
 */
export const buildConsistencyPath = (old: number, size: number): LeafRange[] =>
  old === 0 ? [] : buildSubproof(old, { start: 0, end: size }, true);

/**
 * The part of a tree that growing it needs: its size and the hashes of its complete subtrees, the
 * largest first.
 */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Buffer[];
}

/** The frontier of the empty tree. */
export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

/**
 * Appends leaves, given by their hashes, and returns the new frontier. It calls `onSubtree` with
 * each subtree that the leaves complete and its hash.
 */
export function growTree(
  { size, hashes }: Frontier,
  leaves: readonly Buffer[],
  onSubtree: (subtree: Subtree, hash: Buffer) => void,
): Frontier {
  const frontier = [...hashes];
  let count = size;
  for (const leaf of leaves) {
    frontier.push(leaf);
    count++;
    for (let height = 1, nodes = count; nodes % 2 === 0; height++) {
      nodes /= 2;
      const [left, right] = frontier.splice(-2) as [Buffer, Buffer];
      const parent = hashNode(left, right);
      frontier.push(parent);
      onSubtree({ height, index: nodes - 1 }, parent);
    }
  }
  return { size: count, hashes: frontier };
}

/** Computes the root of a tree. */
export const getRoot = ({ hashes }: Frontier): Buffer => combineHashes(hashes);
