/**
 * Splits Markdown into blocks of prose, without code blocks, in one pass over the lines. It knows
 * just enough of CommonMark (spec.commonmark.org, block structure) to tell code from prose: quotes,
 * lists, fences, indented code and paragraphs. A parser would also build what nobody reads here, at
 * a cost that a hostile text can drive up.
 */

/** A quote, or a list item with the columns by which its content is indented. */
type Container = { readonly quote: true } | { readonly quote: false; readonly indent: number };

/** An open fence, and how many containers it is in. */
interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly depth: number;
}

/** Containers deeper than this are read as text, so that no line costs more than its length. */
const MAX_DEPTH = 20;

const LIST_MARKER = /^([-+*]|(\d{1,9})[.)])([ \t]|$)/;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const THEMATIC_BREAK = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Lines that are a block of their own: headings, and rows of tables. */
const SINGLE_LINE = /^(?:#{1,6}(?:[ \t]|$)|\|)/;

const countIndent = (line: string): number => line.length - line.trimStart().length;
const isBlank = (line: string): boolean => line.trim() === '';

/** Returns the line without the marker of a container that is open; undefined if it has none. */
function enterContainer(line: string, container: Container): string | undefined {
  if (!container.quote) {
    if (isBlank(line)) return '';
    return countIndent(line) >= container.indent ? line.slice(container.indent) : undefined;
  }
  const text = line.trimStart();
  if (countIndent(line) > 3 || !text.startsWith('>')) return undefined;
  return text.startsWith('> ') ? text.slice(2) : text.slice(1);
}

/** Returns the container that begins here and the rest of the line; undefined if none does. */
function openContainer(
  line: string,
  isInParagraph: boolean,
): { readonly container: Container; readonly rest: string } | undefined {
  const indent = countIndent(line);
  if (indent > 3) return undefined;
  const text = line.slice(indent);
  if (text.startsWith('>'))
    return { container: { quote: true }, rest: text.slice(text.startsWith('> ') ? 2 : 1) };
  const [, marker = '', number] = LIST_MARKER.exec(text) ?? [];
  if (marker === '' || THEMATIC_BREAK.test(text)) return undefined;
  const content = text.slice(marker.length);
  // An empty item, or one that does not begin to count at 1, does not end a paragraph.
  if (isInParagraph && (isBlank(content) || (number !== undefined && number !== '1')))
    return undefined;
  const spaces = isBlank(content) ? 1 : countIndent(content);
  const width = marker.length + (spaces > 4 ? 1 : spaces);
  return { container: { quote: false, indent: indent + width }, rest: text.slice(width) };
}

/** Expands tabs at the start of a line, where they count as columns. */
const expandTabs = (line: string): string =>
  line.replace(/^[ \t]*/, (start) => {
    let columns = '';
    for (const character of start)
      columns += character === '\t' ? ' '.repeat(4 - (columns.length % 4)) : ' ';
    return columns;
  });

/** What every code span or code block has: a backtick, a tilde, a tab or four spaces. */
const MARK_OF_CODE = /[`~\t]| {4}/;

/**
 * Returns the paragraphs, headings and rows of a Markdown text; code blocks are left out. A text
 * without any code is one block.
 */
export function listProseBlocks(body: string): string[] {
  if (!MARK_OF_CODE.test(body)) return [body];
  const blocks: string[] = [];
  let containers: Container[] = [];
  let paragraph: string[] = [];
  let fence: Fence | undefined;

  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push(paragraph.join('\n'));
    paragraph = [];
  };

  for (const raw of body.split(/\r\n|\n|\r/)) {
    let rest = expandTabs(raw);
    let depth = 0;
    for (const container of containers) {
      const inner = enterContainer(rest, container);
      if (inner === undefined) break;
      rest = inner;
      depth += 1;
    }

    if (fence !== undefined && depth >= fence.depth) {
      const text = rest.trim();
      const isClosing = text.length >= fence.length && text === fence.mark.repeat(text.length);
      if (isClosing && countIndent(rest) < 4) fence = undefined;
      continue;
    }
    fence = undefined;

    let isNew = false;
    while (depth < MAX_DEPTH) {
      const opened = openContainer(rest, paragraph.length > 0 && !isNew);
      if (opened === undefined) break;
      if (!isNew) {
        endParagraph();
        containers = containers.slice(0, depth);
      }
      isNew = true;
      containers.push(opened.container);
      rest = opened.rest;
      depth += 1;
    }

    const text = rest.trimStart();
    const isCode = countIndent(rest) > 3;
    const [, ticks, tildes] = isCode ? [] : (FENCE.exec(text) ?? []);
    const mark = ticks ?? tildes;
    const isBlock = !isCode && (mark !== undefined || SINGLE_LINE.test(text));
    // A line of prose goes on with a paragraph even if it lacks the markers of its containers.
    if (depth < containers.length && (isBlank(rest) || isBlock || paragraph.length === 0)) {
      endParagraph();
      containers = containers.slice(0, depth);
    }
    if (isBlank(rest)) endParagraph();
    else if (mark !== undefined) {
      endParagraph();
      fence = { mark: mark.charAt(0), length: mark.length, depth };
    } else if (isBlock) {
      endParagraph();
      blocks.push(text);
    } else if (!isCode || paragraph.length > 0) paragraph.push(text);
  }
  endParagraph();
  return blocks;
}
