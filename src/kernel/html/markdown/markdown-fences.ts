/** A fenced block of code of a text (CommonMark 0.31.2, section 4.5). */
export interface FencedBlock {
  /** What stands behind the fence: the language, and whatever else was written there. */
  readonly info: string;
  readonly content: string;
}

/** A fence that may open a block: at most three spaces, and three or more of one sign. */
const OPENING = /^( {0,3})(`{3,}|~{3,})/;

/** A fence that may close a block. Nothing else is on its line. */
const CLOSING = /^ {0,3}(`+|~+)[ \t]*$/;

/**
 * A fence behind the sign of a list. Its end is indented so little that it would pass for the
 * beginning of another block, and code and prose would change places.
 */
const HIDDEN = /^ {0,3}(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+(?:`{3}|~{3})/;

/** How many blocks are looked for. The renderer takes about as many, by its limit of signs. */
const MAX_BLOCKS = 400;

/** How many lines are looked at. A listing of 64 KiB has a tenth as many, and 65,536 take 13 ms. */
const MAX_LINES = 16_384;

/** The fence of a block that was opened, and what came since. */
interface OpenBlock {
  readonly indent: string;
  readonly fence: string;
  readonly info: string;
  readonly lines: string[];
}

function findOpening(line: string): OpenBlock | null {
  const [all = '', indent = '', fence = ''] = OPENING.exec(line) ?? [];
  const info = line.slice(all.length);
  const isSpan = fence.startsWith('`') && info.includes('`');
  return fence === '' || isSpan ? null : { indent, fence, info, lines: [] };
}

function isClosing(line: string, { fence }: OpenBlock): boolean {
  const [, found = ''] = CLOSING.exec(line) ?? [];
  return found[0] === fence[0] && found.length >= fence.length;
}

/** Takes at most as many spaces from the beginning of a line as its fence has. */
function outdent(line: string, indent: string): string {
  let from = 0;
  while (from < indent.length && line[from] === ' ') from += 1;
  return line.slice(from);
}

const toBlock = ({ info, lines }: OpenBlock): FencedBlock => ({
  info,
  content: lines.length === 0 ? '' : `${lines.join('\n')}\n`,
});

/**
 * Splits a text into its fenced blocks at the outermost level and the texts between them. It looks
 * at each line once, so its time is linear. A block without an end runs to that of the text.
 * Returns null where there is no block, where there are very many blocks or lines, and where a
 * block begins in a list.
 */
export function splitFencedBlocks(text: string): readonly (string | FencedBlock)[] | null {
  const parts: (string | FencedBlock)[] = [];
  let between: string[] = [];
  let open: OpenBlock | null = null;
  let blocks = 0;
  const endBetween = () => {
    if (between.some((line) => line.trim() !== '')) parts.push(between.join('\n'));
    between = [];
  };
  // The renderer takes each of these for the end of a line, and shows the other one for a NUL.
  const unified = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  const lines = unified.split('\n', MAX_LINES + 1);
  if (lines.length > MAX_LINES) return null;
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    if (open) {
      if (isClosing(line, open)) {
        parts.push(toBlock(open));
        open = null;
      } else open.lines.push(outdent(line, open.indent));
      continue;
    }
    open = findOpening(line);
    if (open) {
      blocks += 1;
      endBetween();
    } else between.push(line);
    if (blocks > MAX_BLOCKS || (!open && HIDDEN.test(line))) return null;
  }
  if (open) parts.push(toBlock(open));
  endBetween();
  return blocks === 0 ? null : parts;
}
