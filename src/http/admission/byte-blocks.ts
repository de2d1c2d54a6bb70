/** Pieces that are at least so long are kept as they are, others are copied into blocks. */
const LONG_BYTES = 1024;
const BLOCK_BYTES = 4096;

/** Bytes that came in pieces of any length. */
export interface ByteBlocks {
  add(piece: Buffer): void;
  /** Returns all bytes in the order in which they came. */
  join(): Buffer;
}

/**
 * Creates an empty collection. What it takes grows with its bytes and not with its pieces: a buffer
 * for each of a million bytes would take hundreds of megabytes.
 */
export function createByteBlocks(): ByteBlocks {
  const whole: Buffer[] = [];
  let block = Buffer.alloc(0);
  let filled = 0;
  const seal = () => {
    if (filled > 0) whole.push(block.subarray(0, filled));
    block = Buffer.alloc(0);
    filled = 0;
  };
  return {
    add(piece) {
      if (piece.length >= LONG_BYTES) {
        seal();
        whole.push(piece);
        return;
      }
      if (filled + piece.length > block.length) {
        seal();
        block = Buffer.allocUnsafe(BLOCK_BYTES);
      }
      filled += piece.copy(block, filled);
    },
    join() {
      seal();
      return Buffer.concat(whole);
    },
  };
}
