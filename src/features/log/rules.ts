import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, type StoaError } from '../../kernel/errors.ts';
import { HASH_BYTES, type Subtree } from './merkle-tree.rules.ts';

/*
 * The public formats of the log: C2SP tlog-tiles, tlog-checkpoint and signed-note.
 */

/** Builds the error for reads of the log before it exists. */
export const logNotReadyError = (): StoaError =>
  fail(
    'unavailable',
    'The log is being created, because the service has just started for the first time. Retry in ' +
      'a few seconds.',
  );

/**
 * Builds the log's entry of a receipt, 32 bytes. For a public receipt it is the receipt's SHA-256.
 * For a private one it is the SHA-256 of the salt and the receipt's SHA-256, so that only someone
 * with the salt can match the entry to the receipt.
 */
export const toLogEntry = (sha256OfReceipt: Buffer, salt: Buffer | null): Buffer =>
  salt === null ? sha256OfReceipt : sha256(Buffer.concat([salt, sha256OfReceipt]));

/** The number of hashes or entries of a full tile (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
/** The number of tree levels between two levels of tiles (C2SP tlog-tiles). */
export const TILE_HEIGHT = 8;

/**
 * Hashes of subtrees are stored for every multiple of this height. If only every eighth height were
 * stored, a proof would read ten times as many hashes.
 */
export const STORED_HEIGHT = 4;

/** A row of adjacent subtrees of one height. At height 0 they are entries. */
export interface Slice {
  readonly height: number;
  readonly start: number;
  readonly count: number;
}

/**
 * Finds the slice from which the hash of a subtree is computed when only the heights that are
 * multiples of `every` are stored.
 */
export function toSlice({ height, index }: Subtree, every: number): Slice {
  const count = 2 ** (height % every);
  return { height: height - (height % every), start: index * count, count };
}

/** Counts the hashes that a level of tiles has in a tree of this size. */
export const countHashes = (level: number, size: number): number =>
  Math.floor(size / TILE_WIDTH ** level);

/** A tile of the log (C2SP tlog-tiles). */
export interface Tile {
  /** Null for a tile of entries instead of hashes. */
  readonly level: number | null;
  readonly index: number;
  /** The number of hashes or entries that it has; 256 when it is full. */
  readonly width: number;
}

/** Whether a tree of this size has such a tile. Every larger tree has it as well. */
export const isInTree = ({ level, index, width }: Tile, size: number): boolean =>
  index * TILE_WIDTH + width <= countHashes(level ?? 0, size);

/** Lists the tiles of a level of a tree, beginning with the tile that has the hash `from`. */
export function* listTreeTiles(
  level: number | null,
  from: number,
  size: number,
): Generator<Tile, void, undefined> {
  const count = countHashes(level ?? 0, size);
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < count; index++)
    yield { level, index, width: Math.min(TILE_WIDTH, count - index * TILE_WIDTH) };
}

const ENTRIES = 'entries';
const TILE_PATH = /^((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Formats the number of a tile as a path: 1234067 as x001/x234/067. */
function formatIndexPath(number: number): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) as string[];
  return groups.map((group, index) => (index < groups.length - 1 ? `x${group}` : group)).join('/');
}

/** Formats the path of a tile below the address of the log. */
export const formatTilePath = ({ level, index, width }: Tile): string =>
  `tile/${level ?? ENTRIES}/${formatIndexPath(index)}${width < TILE_WIDTH ? `.p/${width}` : ''}`;

/**
 * Parses the path of a tile after `tile/`. Returns null unless it is the canonical path, because
 * each tile has exactly one address.
 */
export function parseTile(level: string, path: string): Tile | null {
  const [, groups = '', width = TILE_WIDTH] = TILE_PATH.exec(path) ?? [];
  const tile = {
    level: level === ENTRIES ? null : Number(level),
    index: Number(groups.replace(/\D/g, '')),
    width: Number(width),
  };
  return formatTilePath(tile) === `tile/${level}/${path}` ? tile : null;
}

/** Builds an entry bundle (C2SP tlog-tiles): each entry follows its length in two bytes. */
export const buildBundle = (entries: readonly Buffer[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 0xff), entry]),
  );

/** Splits concatenated hashes or entries. */
export const splitHashes = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );

/**
 * Builds an id that sorts before those of all receipts created up to `milliseconds` before the
 * given one. Ids of receipts begin with their time (UUIDv7, RFC 9562, section 5.7).
 */
export function buildIdBefore(id: string, milliseconds: number): string {
  const time = Math.max(0, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - milliseconds);
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
