import { sha256 } from '../../kernel/crypto/credentials.ts';
import { HASH_BYTES, type Subtree } from '../../kernel/merkle.ts';

/*
 * How the log is written down for everyone: C2SP tlog-tiles, tlog-checkpoint and signed-note.
 */

/** An act in the log, as 32 bytes: the SHA-256 of its receipt; of a private one that of the salt and it, which only who has the salt can connect. */
export const entryOf = (sha256OfReceipt: Buffer, salt: Buffer | null): Buffer =>
  salt === null ? sha256OfReceipt : sha256(Buffer.concat([salt, sha256OfReceipt]));

export const TILE_WIDTH = 256;
export const TILE_HEIGHT = 8;

/** Hashes of subtrees of this height, of its double and so on are stored. With those of every eighth height, a proof takes ten times as many hashes. */
export const STORED_HEIGHT = 4;

/** Subtrees of one height that stand side by side. */
export interface Slice {
  readonly height: number;
  readonly start: number;
  readonly count: number;
}

/** The parts from which the hash of a subtree is made, where only those of every so many heights are at hand. */
export function sliceOf({ height, index }: Subtree, every: number): Slice {
  const count = 2 ** (height % every);
  return { height: height - (height % every), start: index * count, count };
}

/** How many hashes a level has in a tree of this size. */
export const hashesOn = (level: number, size: number): number =>
  Math.floor(size / TILE_WIDTH ** level);

export interface Tile {
  /** Null: not hashes but the entries themselves. */
  readonly level: number | null;
  readonly index: number;
  /** How many hashes or entries it has: 256 when full. */
  readonly width: number;
}

/** Whether a tree of this size has such a tile. What it has once it has for ever. */
export const isInTree = ({ level, index, width }: Tile, size: number): boolean =>
  index * TILE_WIDTH + width <= hashesOn(level ?? 0, size);

/** Tiles of a level that a tree of this size consists of, from the one with the hash `from` on. */
export function* tilesOf(
  level: number | null,
  from: number,
  size: number,
): Generator<Tile, void, undefined> {
  const count = hashesOn(level ?? 0, size);
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < count; index++)
    yield { level, index, width: Math.min(TILE_WIDTH, count - index * TILE_WIDTH) };
}

const ENTRIES = 'entries';
const TILE_PATH = /^((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** 1234067 as x001/x234/067. */
function indexPath(index: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) as string[];
  return groups.map((group, nr) => (nr < groups.length - 1 ? `x${group}` : group)).join('/');
}

/** Where a tile is below the address of the log. */
export const tilePath = ({ level, index, width }: Tile): string =>
  `tile/${level ?? ENTRIES}/${indexPath(index)}${width < TILE_WIDTH ? `.p/${width}` : ''}`;

/** Reads what stands behind `tile/`. Null for anything that is not written in the one right way: each tile has one address. */
export function readTile(level: string, path: string): Tile | null {
  const [, groups = '', width = TILE_WIDTH] = TILE_PATH.exec(path) ?? [];
  const tile = {
    level: level === ENTRIES ? null : Number(level),
    index: Number(groups.replace(/\D/g, '')),
    width: Number(width),
  };
  return tilePath(tile) === `tile/${level}/${path}` ? tile : null;
}

/** Entries as an entry bundle has them: each after its length. */
export const bundleOf = (entries: readonly Buffer[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 0xff), entry]),
  );

/** Hashes or entries that stand side by side, apart. */
export const apart = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );

/** The name and the public key of a log. */
export interface LogKey {
  readonly origin: string;
  /** 32 bytes: Ed25519. */
  readonly publicKey: Buffer;
}

const ED25519 = Buffer.of(1);

const typed = ({ publicKey }: LogKey): Buffer => Buffer.concat([ED25519, publicKey]);
const keyId = (key: LogKey): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${key.origin}\n`), typed(key)])).subarray(0, 4);

/** The verifier key, for those who check. */
export const vkeyOf = (key: LogKey): string =>
  `${key.origin}+${keyId(key).toString('hex')}+${typed(key).toString('base64')}`;

/** A tree of some size, as the log signed it. */
export interface SignedTree {
  readonly size: number;
  readonly root: Buffer;
  readonly signature: Buffer;
}

/** What the log signs of a tree. */
export const checkpointText = (origin: string, size: number, root: Buffer): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** The checkpoint of a tree as everyone reads it. Its bytes are always the same. */
export const checkpointOf = (key: LogKey, { size, root, signature }: SignedTree): string =>
  `${checkpointText(key.origin, size, root)}\n\u2014 ${key.origin} ${Buffer.concat([keyId(key), signature]).toString('base64')}\n`;

/** Before all acts that happened so many milliseconds before this one. Ids of acts begin with their time (UUIDv7). */
export function idBefore(id: string, milliseconds: number): string {
  const time = Math.max(0, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - milliseconds);
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
