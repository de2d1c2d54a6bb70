import { type Bytes, equalBytes, sha256 } from '../bytes.ts';

/* Proofs of RFC 6962, verified by the algorithms of RFC 9162, sections 2.1.3.2 and 2.1.4.2. */

const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Computes the hash of an entry (RFC 9162, section 2.1.1). */
export const leafHash = (entry: Uint8Array): Promise<Bytes> => sha256(LEAF, entry);
const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => sha256(NODE, left, right);

const isLeafNumber = (number: number): boolean => Number.isSafeInteger(number) && number >= 0;
const areHashes = (hashes: readonly Uint8Array[]): boolean =>
  hashes.every(({ length }) => length === HASH_BYTES);
const isOdd = (number: number): boolean => number % 2 === 1;

/**
 * The position of a proof: a node and the last node of its level. Positions are divided instead of
 * shifted, because shifts truncate them to 32 bits.
 */
interface NodePlace {
  node: number;
  last: number;
}

function moveUp(place: NodePlace): void {
  place.node = Math.floor(place.node / 2);
  place.last = Math.floor(place.last / 2);
}

/** Moves up from a node without a right sibling to the level where it is a right child itself. */
function skipLevels(place: NodePlace): void {
  while (!isOdd(place.node) && place.node !== 0) moveUp(place);
}

/** A claim that an entry is in a tree, with its proof. */
export interface Inclusion {
  readonly entry: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Whether the entry is at this index of the tree with this size and root.
 *
 * @example
 * import { type Inclusion, openCheckpoint, verifyInclusion } from 'stoa-client/receipts';
 *
 * type Leaf = Pick<Inclusion, 'entry' | 'index' | 'proof'>;
 * export async function isInLog(leaf: Leaf, note: string, logKey: string): Promise<boolean> {
 *   const { size, root } = await openCheckpoint(note, logKey);
 *   return verifyInclusion({ ...leaf, size, root });
 * }
 */
export async function verifyInclusion({
  entry,
  index,
  size,
  root,
  proof,
}: Inclusion): Promise<boolean> {
  if (!isLeafNumber(index) || !isLeafNumber(size) || index >= size || !areHashes([root, ...proof]))
    return false;
  const place = { node: index, last: size - 1 };
  let hash = await leafHash(entry);
  for (const part of proof) {
    if (place.last === 0) return false;
    if (isOdd(place.node) || place.node === place.last) {
      hash = await nodeHash(part, hash);
      skipLevels(place);
    } else hash = await nodeHash(hash, part);
    moveUp(place);
  }
  return place.last === 0 && equalBytes(hash, root);
}

/** A claim that one tree is the beginning of another, with its proof. */
export interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

const isPowerOfTwo = (size: number): boolean =>
  Number.isInteger(Math.log2(size)) && 2 ** Math.log2(size) === size;

/**
 * Whether the old tree is the beginning of the new one, so that nothing in it was changed, removed
 * or moved.
 *
 * @example
 * import { type Checkpoint, verifyConsistency } from 'stoa-client/receipts';
 *
 * export const isExtended = (
 *   before: Checkpoint,
 *   { size, root }: Checkpoint,
 *   proof: readonly Uint8Array[],
 * ): Promise<boolean> =>
 *   verifyConsistency({ oldSize: before.size, oldRoot: before.root, size, root, proof });
 */
export async function verifyConsistency({
  oldSize,
  oldRoot,
  size,
  root,
  proof,
}: Consistency): Promise<boolean> {
  if (
    !isLeafNumber(oldSize) ||
    !isLeafNumber(size) ||
    oldSize > size ||
    !areHashes([oldRoot, root, ...proof])
  )
    return false;
  if (oldSize === size) return proof.length === 0 && equalBytes(oldRoot, root);
  if (oldSize === 0) return proof.length === 0 && equalBytes(oldRoot, await sha256());
  const [first, ...rest] = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : proof;
  if (!first || proof.length === 0) return false;
  const place = { node: oldSize - 1, last: size - 1 };
  while (isOdd(place.node)) moveUp(place);
  let before = first;
  let after = first;
  for (const part of rest) {
    if (place.last === 0) return false;
    if (isOdd(place.node) || place.node === place.last) {
      before = await nodeHash(part, before);
      after = await nodeHash(part, after);
      skipLevels(place);
    } else after = await nodeHash(after, part);
    moveUp(place);
  }
  return place.last === 0 && equalBytes(before, oldRoot) && equalBytes(after, root);
}

/**
 * Computes the entry of a receipt in the log from the SHA-256 of its canonical bytes. A private
 * receipt needs its salt, a public one has null.
 *
 * @example
 * import { computeEntry } from 'stoa-client/receipts';
 *
 * const canonical = new TextEncoder().encode('{"iss":"https://stoa.example.org"}');
 * const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', canonical));
 * console.log(await computeEntry(digest, null));
 */
export const computeEntry = async (
  sha256OfReceipt: Uint8Array,
  salt: Uint8Array | null,
): Promise<Uint8Array> => (salt === null ? sha256OfReceipt : await sha256(salt, sha256OfReceipt));
