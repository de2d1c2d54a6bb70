import { crc32, deflateSync } from 'node:zlib';

/** A picture of two colors. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** One number a pixel, row by row: 0 for the ground, 1 for what is drawn on it. */
  readonly pixels: Uint8Array;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BITS = 8;

/** Builds a chunk: its length, its type, its data and their checksum (PNG, 5.3). */
function buildChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

/**
 * Encodes a picture as PNG with a palette of two colors, each as "#rrggbb" (W3C PNG, third
 * edition). One bit a pixel makes a picture of 1200 by 630 about 2 KB.
 */
export function encodePng({ width, height, pixels }: Bitmap, palette: readonly string[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 3], 8);
  const stride = Math.ceil(width / BITS) + 1;
  const rows = Buffer.alloc(stride * height);
  for (const [place, pixel] of pixels.entries()) {
    const x = place % width;
    const at = Math.floor(place / width) * stride + 1 + Math.floor(x / BITS);
    if (pixel) rows[at] = (rows[at] ?? 0) | (0x80 >> (x % BITS));
  }
  const colors = palette.map((color) => color.slice(1)).join('');
  return Buffer.concat([
    SIGNATURE,
    buildChunk('IHDR', header),
    buildChunk('PLTE', Buffer.from(colors, 'hex')),
    buildChunk('IDAT', deflateSync(rows, { level: 9 })),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}
