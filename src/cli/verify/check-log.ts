import { equalBytes } from '../../../client/src/bytes.ts';
import type { Checkpoint, CheckpointFault } from '../../../client/src/receipts/checkpoint.ts';
import { verifyConsistency } from '../../../client/src/receipts/verify-merkle.ts';
import {
  buildConsistencyPath,
  type Frontier,
  getRoot,
  growTree,
  HASH_BYTES,
  hashLeaf,
  hashRange,
  hashSubtree,
  type LeafRange,
  listSubtrees,
  type Subtree,
} from '../../features/log/merkle-tree.rules.ts';
import {
  buildBundle,
  countHashes,
  formatTilePath,
  listTreeTiles,
  splitHashes,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
  toSlice,
} from '../../features/log/rules.ts';

/** The code of a fault in a log. */
export type LogFaultCode =
  | CheckpointFault
  | 'shrunk'
  | 'root_changed'
  | 'rewritten'
  | 'tile_missing'
  | 'tile_size'
  | 'tile_mismatch'
  | 'entry_mismatch'
  | 'root_mismatch';

/** The log contradicts its checkpoint. The message is a sentence that says how. */
export class LogFault extends Error {
  override readonly name = 'LogFault';
  readonly code: LogFaultCode;

  constructor(code: LogFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads a tile of the log, as its address returns it. */
export type ReadTile = (tile: Tile) => Promise<Buffer>;

const MAX_LOADING = 8;
const LENGTH_BYTES = 2;

const computeTileBytes = ({ level, width }: Tile): number =>
  width * (HASH_BYTES + (level === null ? LENGTH_BYTES : 0));

/**
 * Creates a reader of tiles. It keeps those from which it returns single hashes, so each of them is
 * fetched once.
 */
function createReader(read: ReadTile, size: number) {
  const known = new Map<string, Promise<Buffer>>();

  async function fetchTile(tile: Tile): Promise<Buffer> {
    const bytes = await read(tile);
    if (bytes.length !== computeTileBytes(tile))
      throw new LogFault(
        'tile_size',
        `${formatTilePath(tile)} has ${bytes.length} bytes and not ${computeTileBytes(tile)}.`,
      );
    return bytes;
  }

  const getTile = (tile: Tile): Promise<Buffer> =>
    known.get(formatTilePath(tile)) ?? fetchTile(tile);

  /** Returns the hash at an index of a level. */
  async function getHash(level: number, index: number): Promise<Buffer> {
    const nr = Math.floor(index / TILE_WIDTH);
    const tile = {
      level,
      index: nr,
      width: Math.min(TILE_WIDTH, countHashes(level, size) - nr * TILE_WIDTH),
    };
    const reading = getTile(tile);
    known.set(formatTilePath(tile), reading);
    const bytes = await reading;
    const at = (index % TILE_WIDTH) * HASH_BYTES;
    return bytes.subarray(at, at + HASH_BYTES);
  }

  async function getSubtreeHash(subtree: Subtree): Promise<Buffer> {
    const { height, start, count } = toSlice(subtree, TILE_HEIGHT);
    const hashes: Buffer[] = [];
    for (let index = start; index < start + count; index++)
      hashes.push(await getHash(height / TILE_HEIGHT, index));
    return hashSubtree(hashes);
  }

  return { whole: getTile, getHash, getSubtreeHash };
}

type TileReader = ReturnType<typeof createReader>;

async function computeRangeHash({ getSubtreeHash }: TileReader, range: LeafRange): Promise<Buffer> {
  const subtrees = listSubtrees(range);
  const hashes = new Map(
    await Promise.all(
      subtrees.map(async (subtree) => [subtree.height, await getSubtreeHash(subtree)] as const),
    ),
  );
  return hashRange(range, ({ height }) => hashes.get(height) as Buffer);
}

/** Asserts that the old tree is the beginning of the new one. Errors: LogFault. */
async function assertConsistent(
  reader: TileReader,
  old: Checkpoint,
  now: Checkpoint,
): Promise<void> {
  if (old.size > now.size)
    throw new LogFault(
      'shrunk',
      `The log has ${now.size} entries; it had ${old.size} when you kept its checkpoint.`,
    );
  if (old.size === now.size && !equalBytes(old.root, now.root))
    throw new LogFault(
      'root_changed',
      `The log has as many entries as when you kept its checkpoint (${now.size}), but not ` +
        'the same ones.',
    );
  const proof: Buffer[] = [];
  for (const range of buildConsistencyPath(old.size, now.size))
    proof.push(await computeRangeHash(reader, range));
  if (
    !(await verifyConsistency({
      oldSize: old.size,
      oldRoot: old.root,
      size: now.size,
      root: now.root,
      proof,
    }))
  )
    throw new LogFault(
      'rewritten',
      `What the log shows now does not begin with the ${old.size} entries that it had: its ` +
        'past was rewritten, or its tiles are not those of its tree.',
    );
}

/**
 * Reads the entries of a bundle, compares them with their hashes, and returns the hashes. Errors:
 * LogFault.
 */
async function readLeaves({ whole }: TileReader, bundle: Tile): Promise<Buffer[]> {
  const [bytes, hashes] = await Promise.all([whole(bundle), whole({ ...bundle, level: 0 })]);
  const entries = Array.from({ length: bundle.width }, (_, nr) =>
    bytes.subarray(
      nr * (LENGTH_BYTES + HASH_BYTES) + LENGTH_BYTES,
      (nr + 1) * (LENGTH_BYTES + HASH_BYTES),
    ),
  );
  const leaves = entries.map(hashLeaf);
  const wrong = splitHashes(hashes).findIndex((hash, nr) => !hash.equals(leaves[nr] as Buffer));
  if (wrong >= 0)
    throw new LogFault(
      'entry_mismatch',
      `Entry ${bundle.index * TILE_WIDTH + wrong} of ${formatTilePath(bundle)} is not the one of ` +
        `which ${formatTilePath({ ...bundle, level: 0 })} has the hash.`,
    );
  if (!buildBundle(entries).equals(bytes))
    throw new LogFault(
      'entry_mismatch',
      `${formatTilePath(bundle)} has entries that are not 32 bytes.`,
    );
  return leaves;
}

/**
 * Yields the result of `load` for each item, in order. Up to MAX_LOADING items are loaded at once.
 */
async function* loadAhead<Item, Loaded>(
  items: Iterable<Item>,
  load: (item: Item) => Promise<Loaded>,
): AsyncGenerator<Loaded> {
  const loading: Promise<Loaded>[] = [];
  for (const item of items) {
    const one = load(item);
    // The error is reported when the item's turn comes.
    one.catch(() => {});
    loading.push(one);
    if (loading.length === MAX_LOADING) yield await (loading.shift() as Promise<Loaded>);
  }
  for (const one of loading) yield await one;
}

/**
 * Checks a log, using only what anyone can read of it. The tree of the checkpoint `now` must begin
 * with that of `old` and contain every entry since then, and every tile above these entries must
 * agree. Without `old`, all entries are read.
 * Errors: LogFault; those of `read`.
 */
export async function checkLog(
  read: ReadTile,
  old: Checkpoint | null,
  now: Checkpoint,
  progress: (entries: number) => void = () => {},
): Promise<void> {
  const reader = createReader(read, now.size);
  if (old) await assertConsistent(reader, old, now);
  const known = old?.size ?? 0;
  // Bundles are checked as a whole, so the first one may contain known entries.
  const firstWholeSize = known - (known % TILE_WIDTH);
  const hashes: Buffer[] = [];
  for (const subtree of listSubtrees({ start: 0, end: firstWholeSize }))
    hashes.push(await reader.getSubtreeHash(subtree));
  let tree: Frontier = { size: firstWholeSize, hashes };
  for await (const leaves of loadAhead(listTreeTiles(null, known, now.size), (bundle) =>
    readLeaves(reader, bundle),
  )) {
    const nodes: { level: number; index: number; hash: Buffer }[] = [];
    tree = growTree(tree, leaves, (subtree, hash) => {
      if (subtree.height % TILE_HEIGHT === 0)
        nodes.push({ level: subtree.height / TILE_HEIGHT, index: subtree.index, hash });
    });
    for (const { level, index, hash } of nodes) {
      if (!hash.equals(await reader.getHash(level, index)))
        throw new LogFault(
          'tile_mismatch',
          `Hash ${index} of level ${level} is not that of the tile below it.`,
        );
    }
    progress(leaves.length);
  }
  if (!getRoot(tree).equals(now.root))
    throw new LogFault(
      'root_mismatch',
      `The ${now.size} entries of the log do not give the root that its checkpoint says.`,
    );
}
