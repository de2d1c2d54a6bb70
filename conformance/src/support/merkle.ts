import { createHash } from 'node:crypto';

/* Inclusion proofs of RFC 6962, section 2.1.1, written from the standard. */

type Hash = Buffer;

const digest = (...parts: readonly Uint8Array[]): Hash => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const hashLeaf = (entry: Uint8Array): Hash => digest(LEAF, entry);
const hashNode = (left: Hash, right: Hash): Hash => digest(NODE, left, right);

/** The largest power of two below a size of at least 2. */
const splitSize = (size: number): number => {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
};

/** Computes the root that a path leads to; null where the path has the wrong length. */
function walk(leaf: Hash, index: number, size: number, path: readonly Hash[]): Hash | null {
  if (size === 1) return path.length === 0 ? leaf : null;
  const sibling = path.at(-1);
  if (!sibling) return null;
  const half = splitSize(size);
  const rest = path.slice(0, -1);
  const isLeft = index < half;
  const below = isLeft
    ? walk(leaf, index, half, rest)
    : walk(leaf, index - half, size - half, rest);
  if (!below) return null;
  return isLeft ? hashNode(below, sibling) : hashNode(sibling, below);
}

/** The facts of an inclusion proof as a receipt has them. */
export interface InclusionProof {
  readonly index: number;
  readonly size: number;
  /** Base64, from the leaf's sibling up. */
  readonly proof: readonly string[];
  /** Base64, of a private receipt only. */
  readonly salt: string | null;
}

/** Computes the root of the log from a receipt's SHA-256 and its proof, as base64. */
export function computeRoot(sha256: string, log: InclusionProof): string | null {
  const fact = Buffer.from(sha256, 'hex');
  const entry = log.salt === null ? fact : digest(Buffer.from(log.salt, 'base64'), fact);
  const path = log.proof.map((hash) => Buffer.from(hash, 'base64'));
  if (log.index >= log.size) return null;
  return walk(hashLeaf(entry), log.index, log.size, path)?.toString('base64') ?? null;
}

/** Computes the root of all entries, as base64. */
export function computeTreeRoot(entries: readonly Uint8Array[]): string {
  const compute = (part: readonly Uint8Array[]): Hash => {
    const [first] = part;
    if (part.length === 1 && first) return hashLeaf(first);
    const half = splitSize(part.length);
    return hashNode(compute(part.slice(0, half)), compute(part.slice(half)));
  };
  return compute(entries).toString('base64');
}
