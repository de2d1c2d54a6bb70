/**
 * The maximum length that is rendered, in UTF-16 units. A longer text is shown as it was written.
 */
const MAX_RENDERED_LENGTH = 16 * 1024;

/** How many cells the tables of a text may have. */
const MAX_CELLS = 4_000;

/**
 * How many cells the tables of a text may have for each separator between cells, and how many
 * beyond. A table has a cell for each of its columns in every row (GFM, section 4.10), also where
 * the text has none: 395 bytes were 4,000 cells and 100 KB of HTML. Tables that people and models
 * write have about one cell for each separator, also where some cells at the end are missing.
 */
const CELLS_PER_SEPARATOR = 4;
const FREE_CELLS = 256;

/**
 * How many signs of markup a text may have. The parser tries all of its rules at each of them, and
 * some rules look far ahead. What people and models write has at most half as many in 16 KiB, also
 * where most of it is tables.
 */
const MAX_SIGNS = 3_000;

/** The characters at which the parser stops to look for markup. */
const SIGNS = new Set([...'\n!#$%&*+-:<=>@[\\]^_`{|}~'].map((sign) => sign.charCodeAt(0)));

/** Whether a text has more signs of markup than are looked at. */
function hasTooManySigns(text: string): boolean {
  let count = 0;
  for (let index = 0; index < text.length && count <= MAX_SIGNS; index++)
    if (SIGNS.has(text.charCodeAt(index))) count += 1;
  return count > MAX_SIGNS;
}

/** A line that can divide the head of a table from its rows (GFM, section 4.10). */
const DIVIDER = /^[ \t>|:+*\d.)-]+$/;

/** A line at which every table ends, also one in a quotation. */
const BLANK = /^[ \t>]*$/;

const countSeparators = (line: string): number => line.split('|').length - 1;

/** Whether the tables of a text could have more cells than are rendered. */
function hasTooManyCells(text: string): boolean {
  if (!text.includes('|')) return false;
  let cells = 0;
  let missing = 0;
  let block = { lines: 0, columns: 0, separators: 0 };
  let above = 0;
  const endBlock = () => {
    const inBlock = block.columns * block.lines;
    cells += inBlock;
    missing += Math.max(0, inBlock - CELLS_PER_SEPARATOR * block.separators);
    block = { lines: 0, columns: 0, separators: 0 };
  };
  for (const line of text.split('\n')) {
    if (BLANK.test(line)) endBlock();
    const separators = countSeparators(line);
    block.lines += 1;
    block.separators += separators;
    // The head of a table, above the divider, has a separator.
    if (above > 0 && DIVIDER.test(line)) block.columns = Math.max(block.columns, separators + 1);
    above = separators;
  }
  endBlock();
  return cells > MAX_CELLS || missing > FREE_CELLS;
}

/** Whether a text is shown as it was written, because it would cost too much to render. */
export function isTooCostly(text: string): boolean {
  if (text.length > MAX_RENDERED_LENGTH) return true;
  // The parser takes each of these for the end of a line.
  const lines = text.replace(/\r\n?/g, '\n');
  return hasTooManySigns(lines) || hasTooManyCells(lines);
}

/**
 * Returns how many characters of HTML a text may become. A short text needs some for its elements.
 * Beyond that, lists of addresses have the most: eight times their length.
 */
export const getMaxHtmlLength = (text: string): number => 16 * 1024 + 8 * text.length;
