import { card } from '../../kernel/html/page-head.ts';
import type { Face } from '../../kernel/installation.ts';
import { memoize } from '../../kernel/memoize.ts';
import { findBlocks, LETTER_HEIGHT, LETTER_WIDTH } from './block-font.ts';
import { encodePng } from './png.ts';

const { width: WIDTH, height: HEIGHT } = card;
/** The accent of pages without one of their own, and white: a contrast of 8. */
const DEFAULT_GROUND = '#1f4f8a';
const INK = '#ffffff';
const MARGIN = 80;
const LARGEST_BLOCK = 18;

/** The columns and the base of the mark, as in the icon: left, top, width and height of 32. */
const columns = [
  [4, 11, 24, 3],
  [7, 16, 3, 8],
  [14.5, 16, 3, 8],
  [22, 16, 3, 8],
  [5, 25, 22, 2.5],
] as const;
const ROOF = { top: 5, foot: 11, halfWidth: 12 } as const;

/** A canvas of ones and zeros. */
interface Canvas {
  readonly pixels: Uint8Array;
  fill(left: number, top: number, width: number, height: number): void;
}

function createCanvas(): Canvas {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  return {
    pixels,
    fill(left, top, width, height) {
      for (let y = Math.round(top); y < Math.round(top + height); y++)
        pixels.fill(1, y * WIDTH + Math.round(left), y * WIDTH + Math.round(left + width));
    },
  };
}

/** Draws a stoa, a roof on columns, in a square of `size`. */
function drawMark({ fill }: Canvas, left: number, top: number, size: number): void {
  const unit = size / 32;
  for (let y = ROOF.top * unit; y < ROOF.foot * unit; y++) {
    const half = ((y / unit - ROOF.top) / (ROOF.foot - ROOF.top)) * ROOF.halfWidth * unit;
    fill(left + size / 2 - half, top + y, 2 * half, 1);
  }
  for (const [x, y, width, height] of columns)
    fill(left + x * unit, top + y * unit, width * unit, height * unit);
}

/**
 * Draws the picture that previews of links show: the mark, and below it the name of the
 * installation as far as there are letters for it. No text of anybody else is in it.
 */
export const drawCard = memoize(({ name, accent }: Face): Buffer => {
  const canvas = createCanvas();
  const blocks = findBlocks(name);
  const size = 320;
  drawMark(canvas, (WIDTH - size) / 2, blocks ? 60 : (HEIGHT - size) / 2, size);
  const textWidth = [...name].length * LETTER_WIDTH - 1;
  const block = Math.min(LARGEST_BLOCK, Math.floor((WIDTH - 2 * MARGIN) / textWidth));
  const left = (WIDTH - textWidth * block) / 2;
  const top = 470 - (LETTER_HEIGHT * block) / 2;
  for (const { x, y } of blocks ?? []) canvas.fill(left + x * block, top + y * block, block, block);
  return encodePng({ width: WIDTH, height: HEIGHT, pixels: canvas.pixels }, [
    accent?.light ?? DEFAULT_GROUND,
    INK,
  ]);
});
