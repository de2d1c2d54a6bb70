/**
 * Capital letters, digits and a few signs as blocks: seven rows of five, each row as two
 * hexadecimal digits. A picture that the service draws needs no font of anybody else.
 */
const glyphs: Readonly<Record<string, string>> = {
  ' ': '00000000000000',
  '-': '0000001f000000',
  '.': '0000000000000c',
  "'": '0c040800000000',
  '&': '0c12140815120d',
  ':': '000c0c000c0c00',
  '0': '0e11131519110e',
  '1': '040c040404040e',
  '2': '0e11010204081f',
  '3': '1f02040201110e',
  '4': '02060a121f0202',
  '5': '1f101e0101110e',
  '6': '0608101e11110e',
  '7': '1f010204080808',
  '8': '0e11110e11110e',
  '9': '0e11110f01020c',
  A: '0e11111f111111',
  B: '1e11111e11111e',
  C: '0e11101010110e',
  D: '1e11111111111e',
  E: '1f10101e10101f',
  F: '1f10101e101010',
  G: '0e11101711110f',
  H: '1111111f111111',
  I: '0e04040404040e',
  J: '0702020202120c',
  K: '11121418141211',
  L: '1010101010101f',
  M: '111b1515111111',
  N: '11111915131111',
  O: '0e11111111110e',
  P: '1e11111e101010',
  Q: '0e11111115120d',
  R: '1e11111e141211',
  S: '0f10100e01011e',
  T: '1f040404040404',
  U: '1111111111110e',
  V: '11111111110a04',
  W: '1111111515150a',
  X: '11110a040a1111',
  Y: '1111110a040404',
  Z: '1f01020408101f',
};

/** The width of a letter with the gap after it, and its height, in blocks. */
export const LETTER_WIDTH = 6;
export const LETTER_HEIGHT = 7;

/** A place in a text, in blocks from its upper left corner. */
export interface Block {
  readonly x: number;
  readonly y: number;
}

/**
 * Lists the blocks of a text. Accents are left off. Returns null if it has a character that has no
 * blocks, because a name with gaps is not the name.
 */
export function findBlocks(text: string): readonly Block[] | null {
  const letters = [...text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()];
  const blocks: Block[] = [];
  for (const [place, letter] of letters.entries()) {
    const glyph = Object.hasOwn(glyphs, letter) ? glyphs[letter] : undefined;
    if (glyph === undefined) return null;
    for (let y = 0; y < LETTER_HEIGHT; y++) {
      const row = Number.parseInt(glyph.slice(2 * y, 2 * y + 2), 16);
      for (let x = 0; x < LETTER_WIDTH - 1; x++)
        if (row & (0b10000 >> x)) blocks.push({ x: place * LETTER_WIDTH + x, y });
    }
  }
  return blocks;
}
