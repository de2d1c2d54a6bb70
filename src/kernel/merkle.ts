import { hash } from 'node:crypto';

/*
 * Merkle trees as RFC 6962 defines them, with SHA-256. Sizes and indices are integers below 2^53, so they are never shifted, which
 * would cut them to 32 bits.
 */

export const HASH_BYTES = 32;

const LEAF = Buffer.of(0);
const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

export const leafHash = (entry: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([LEAF, entry]), 'buffer');

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return hash('sha256', pair, 'buffer');
}

/** Hashes of nodes side by side as one hash: of a whole number of complete subtrees, the largest first. */
const together = (hashes: readonly Buffer[]): Buffer =>
  hashes.length === 0
    ? hash('sha256', '', 'buffer')
    : hashes.reduceRight((right, left) => nodeHash(left, right));

/** The hash above 1, 2, 4, ... nodes of one height. */
export function hashAbove(nodes: readonly Buffer[]): Buffer {
  let level = nodes;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2)
      above.push(nodeHash(level[index] as Buffer, level[index + 1] as Buffer));
    level = above;
  }
  return level[0] as Buffer;
}

/** 2^height leaves from index * 2^height: the unit that proofs are made of. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** Leaves from `start` up to, not including, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The complete subtrees of a range, the largest first. The range is one that proofs speak of: it starts at a multiple of its largest subtree. */
export function subtreesOf({ start, end }: Range): Subtree[] {
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

/** MTH of RFC 6962 over a range, from the hashes of its complete subtrees. */
export const hashOfRange = (range: Range, hashOf: (subtree: Subtree) => Buffer): Buffer =>
  together(subtreesOf(range).map(hashOf));

/** The largest power of two below `size`, which is at least 2. */
function half(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** PATH of RFC 6962: the ranges whose hashes, in this order, prove that a leaf is in the tree of this size. */
export function inclusionPath(index: number, { start, end }: Range): Range[] {
  if (end - start <= 1) return [];
  const middle = start + half(end - start);
  return index < middle
    ? [...inclusionPath(index, { start, end: middle }), { start: middle, end }]
    : [...inclusionPath(index, { start: middle, end }), { start, end: middle }];
}

/** SUBPROOF of RFC 6962: `whole` while the range begins with the old tree itself, whose hash is known. */
function subproof(old: number, { start, end }: Range, whole: boolean): Range[] {
  if (old === end) return whole ? [] : [{ start, end }];
  const middle = start + half(end - start);
  return old <= middle
    ? [...subproof(old, { start, end: middle }, whole), { start: middle, end }]
    : [...subproof(old, { start: middle, end }, false), { start, end: middle }];
}

/** PROOF of RFC 6962: the ranges whose hashes prove that the tree of size `old` is the beginning of the one of `size`. */
export const consistencyPath = (old: number, size: number): Range[] =>
  old === 0 ? [] : subproof(old, { start: 0, end: size }, true);

/** A tree that only grows: the hashes of its complete subtrees, the largest first, and nothing else. */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Buffer[];
}

export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

/** Adds leaves, given by their hashes. `made` learns of each subtree that this completes, with its hash. */
export function grow(
  { size, hashes }: Frontier,
  leaves: readonly Buffer[],
  made: (subtree: Subtree, hash: Buffer) => void,
): Frontier {
  const right = [...hashes];
  let count = size;
  for (const leaf of leaves) {
    right.push(leaf);
    count++;
    for (let height = 1, nodes = count; nodes % 2 === 0; height++) {
      nodes /= 2;
      const [a, b] = right.splice(-2) as [Buffer, Buffer];
      const above = nodeHash(a, b);
      right.push(above);
      made({ height, index: nodes - 1 }, above);
    }
  }
  return { size: count, hashes: right };
}

export const rootOf = ({ hashes }: Frontier): Buffer => together(hashes);
