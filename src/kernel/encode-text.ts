const encoder = new TextEncoder();

/** Longer texts are encoded on their own. In UTF-16 code units, of which none has over 3 bytes. */
const LONGEST = 256 * 1024;
const scratch = new Uint8Array(3 * LONGEST);

/**
 * Returns the pieces of a text as UTF-8, like `Buffer.from(text)`, which takes three to five times
 * as long for a page of 64 KiB: it counts the bytes first, and converts one character at a time. No
 * piece may end within a surrogate pair.
 */
export function encodePieces(pieces: readonly string[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length > LONGEST) return Buffer.from(pieces.join(''));
  let size = 0;
  for (const piece of pieces) size += encoder.encodeInto(piece, scratch.subarray(size)).written;
  return Buffer.from(scratch.subarray(0, size));
}

/** Returns a text as UTF-8. */
export const encodeText = (text: string): Buffer => encodePieces([text]);
