/** A part of some bytes: the positions of its first and its last byte, from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A store of bytes by their SHA-256 (lowercase hexadecimal), each content once.
 * Errors of all methods: BlobsUnavailable when the store cannot work now.
 */
export interface Blobs {
  /**
   * Stores the bytes of a local file, which it may move away. After this the bytes survive a crash
   * of the machine. It is idempotent.
   */
  put(sha256: string, path: string, size: number): Promise<void>;
  /** Whether the store has the bytes. */
  has(sha256: string): Promise<boolean>;
  /**
   * Reads the bytes, or a range of them, as the caller consumes them. `signal` ends the read, even
   * while the store stalls.
   * Errors: BlobMissing, when the first piece is read.
   */
  read(sha256: string, range?: ByteRange, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Deletes the bytes. It is idempotent. */
  delete(sha256: string): Promise<void>;
}

/** The store cannot work now: unreachable, refusing or out of space. A retry may succeed. */
export class BlobsUnavailable extends Error {
  override readonly name: string = 'BlobsUnavailable';
  constructor(
    cause: unknown,
    message = 'The file store cannot be reached or cannot accept work now.',
  ) {
    super(message, { cause });
  }
}

/** The store works, but it does not allow a request about these bytes. */
export class BlobRefused extends BlobsUnavailable {
  override readonly name = 'BlobRefused';
  constructor(cause: unknown) {
    super(cause, 'The file store does not allow a request about a file.');
  }
}

/** Errors of the system that say so of one file. */
const REFUSALS = ['EACCES', 'EPERM', 'EISDIR', 'EBUSY'];

/** The database refers to bytes that the store has lost. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  constructor(sha256: string) {
    super(`The file store has lost ${sha256}.`);
  }
}

/** Converts any error of a store's work or of its stream to one of the errors above. */
function toStoreError(error: unknown): BlobMissing | BlobsUnavailable {
  if (error instanceof BlobMissing || error instanceof BlobsUnavailable) return error;
  const { code, cause = error } = error as NodeJS.ErrnoException;
  return REFUSALS.includes(code ?? '') ? new BlobRefused(cause) : new BlobsUnavailable(cause);
}

/** Converts the errors of a store's work. Errors: BlobMissing, BlobsUnavailable. */
export const wrapErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toStoreError(error);
  });

/** Converts the errors of a stream of bytes. Errors: BlobMissing, BlobsUnavailable. */
export async function* wrapReadErrors(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Returns the path of bytes in a folder or bucket. It is spread, so that no folder gets long. */
export const toBlobPath = (sha256: string): string =>
  `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
