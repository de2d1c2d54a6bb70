/** Part of some bytes: the first and the last of it, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Keeps bytes by their SHA-256 (lowercase hexadecimal), each content once. Errors of all: BlobsUnavailable when the store cannot do
 * its work now.
 */
export interface Blobs {
  /** Stores the bytes of a file on this machine, which may be gone afterwards. They survive a crash of the machine from here on. Repeating is harmless. */
  put(sha256: string, path: string, size: number): Promise<void>;
  has(sha256: string): Promise<boolean>;
  /** The bytes, or a range inside of them, read as they are asked for. Errors: BlobMissing, with the first piece. */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Repeating is harmless. */
  delete(sha256: string): Promise<void>;
}

/** The store cannot do its work now: unreachable, refusing, out of space. Worth a retry. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable';
  constructor(cause: unknown) {
    super('The store of files cannot be reached or cannot accept work now.', { cause });
  }
}

/** The database knows of bytes that the store does not have: it lost them. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  constructor(sha256: string) {
    super(`The store of files has lost ${sha256}.`);
  }
}

/** What a store says of its own while it works or its bytes are read, as an error of the store. */
const ofStore = (error: unknown): BlobMissing | BlobsUnavailable =>
  error instanceof BlobMissing || error instanceof BlobsUnavailable
    ? error
    : new BlobsUnavailable((error as Error).cause ?? error);

export const working = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw ofStore(error);
  });

export async function* reading(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw ofStore(error);
  }
}

/** Where bytes stand in a folder or bucket: spread, so that no folder gets long. */
export const placeOf = (sha256: string): string =>
  `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
