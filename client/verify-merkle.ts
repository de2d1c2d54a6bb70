import { type Bytes, equalBytes, sha256 } from './bytes.ts';

/* Proofs of RFC 6962, checked as RFC 9162 (2.1.3.2 and 2.1.4.2) writes it down. */

const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (entry: Uint8Array): Promise<Bytes> => sha256(LEAF, entry);
const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => sha256(NODE, left, right);

const isPlace = (number: number): boolean => Number.isSafeInteger(number) && number >= 0;
const areHashes = (hashes: readonly Uint8Array[]): boolean =>
  hashes.every(({ length }) => length === HASH_BYTES);
const isOdd = (number: number): boolean => number % 2 === 1;

/** Where a proof has come to: the node and the last one of its level. No bits are shifted: that would cut places to 32 bits. */
interface Place {
  node: number;
  last: number;
}

function climb(place: Place): void {
  place.node = Math.floor(place.node / 2);
  place.last = Math.floor(place.last / 2);
}

/** Above a node without a right neighbour: up to the level where it is a right one itself. */
function skip(place: Place): void {
  while (!isOdd(place.node) && place.node !== 0) climb(place);
}

export interface Inclusion {
  readonly entry: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Whether the entry is the one at this place of the tree with this size and root. */
export async function verifyInclusion({
  entry,
  index,
  size,
  root,
  proof,
}: Inclusion): Promise<boolean> {
  if (!isPlace(index) || !isPlace(size) || index >= size || !areHashes([root, ...proof]))
    return false;
  const place = { node: index, last: size - 1 };
  let hash = await leafHash(entry);
  for (const part of proof) {
    if (place.last === 0) return false;
    if (isOdd(place.node) || place.node === place.last) {
      hash = await nodeHash(part, hash);
      skip(place);
    } else hash = await nodeHash(hash, part);
    climb(place);
  }
  return place.last === 0 && equalBytes(hash, root);
}

export interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

const isPowerOfTwo = (size: number): boolean =>
  Number.isInteger(Math.log2(size)) && 2 ** Math.log2(size) === size;

/** Whether the old tree is the beginning of the new one: nothing in it was changed, taken out or moved. */
export async function verifyConsistency({
  oldSize,
  oldRoot,
  size,
  root,
  proof,
}: Consistency): Promise<boolean> {
  if (
    !isPlace(oldSize) ||
    !isPlace(size) ||
    oldSize > size ||
    !areHashes([oldRoot, root, ...proof])
  )
    return false;
  if (oldSize === size) return proof.length === 0 && equalBytes(oldRoot, root);
  if (oldSize === 0) return proof.length === 0 && equalBytes(oldRoot, await sha256());
  const [first, ...rest] = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : proof;
  if (!first || proof.length === 0) return false;
  const place = { node: oldSize - 1, last: size - 1 };
  while (isOdd(place.node)) climb(place);
  let [before, after] = [first, first];
  for (const part of rest) {
    if (place.last === 0) return false;
    if (isOdd(place.node) || place.node === place.last) {
      before = await nodeHash(part, before);
      after = await nodeHash(part, after);
      skip(place);
    } else after = await nodeHash(after, part);
    climb(place);
  }
  return place.last === 0 && equalBytes(before, oldRoot) && equalBytes(after, root);
}

/** The entry of an act in the log, of the SHA-256 of its receipt's canonical bytes; a private one needs its salt. */
export const entryOf = async (
  sha256OfReceipt: Uint8Array,
  salt: Uint8Array | null,
): Promise<Uint8Array> => (salt === null ? sha256OfReceipt : await sha256(salt, sha256OfReceipt));
