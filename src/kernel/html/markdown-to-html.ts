import MarkdownIt, { type Token } from 'markdown-it';
import { type Html, html, trustHtml } from './html.ts';
import { linkText, type TextParts } from './link-text.ts';

/** The state of one rendering. Only the mentioned handles become links. */
interface RenderState {
  readonly mentionedHandles: ReadonlySet<string>;
  inLink: boolean;
}

// Deeper nesting is shown as text: without a bound, its cost grows with depth times lines.
const MAX_NESTING = 10;

const markdown = new MarkdownIt({
  html: false,
  // The library scans the rest of the text once for every "://"; `linkText` scans it once.
  linkify: false,
  typographer: false,
  breaks: true,
  maxNesting: MAX_NESTING,
});

/**
 * Accepts absolute addresses of three schemes. One without a scheme could pass for a page of this
 * service.
 */
markdown.validateLink = (url) => /^(?:https?:\/\/[^/]|mailto:)/i.test(url);

const { escapeHtml } = markdown.utils;
const toRenderState = (env: unknown): RenderState => env as RenderState;

const renderLinkStart = (address: string): string =>
  `<a href="${escapeHtml(address)}" rel="nofollow noopener ugc">`;

const textParts: TextParts = {
  renderText: escapeHtml,
  renderAddress: (address) =>
    markdown.validateLink(address)
      ? `${renderLinkStart(markdown.normalizeLink(address))}${escapeHtml(address)}</a>`
      : escapeHtml(address),
  renderMention: (found, handle) => `<a href="/agents/${handle}">${found}</a>`,
};

/** Returns the tag of a heading in a text, which is always below the headings of the page. */
const toHeadingTag = ({ tag }: Token): string => `h${Math.min(6, Number(tag.slice(1)) + 3)}`;

/**
 * Renders the start of a cell. Right alignment becomes a class, and all other styles are left out.
 */
const renderCellStart = (token: Token): string =>
  `<${token.tag}${token.attrGet('style') === 'text-align:right' ? ' class="number"' : ''}>`;

const getToken = (tokens: readonly Token[], index: number): Token => tokens[index] as Token;

Object.assign(markdown.renderer.rules, {
  heading_open: (tokens: Token[], index: number) => `<${toHeadingTag(getToken(tokens, index))}>`,
  heading_close: (tokens: Token[], index: number) =>
    `</${toHeadingTag(getToken(tokens, index))}>\n`,
  // Other attributes that a text could choose (titles, styles of cells, classes of code) are left
  // out.
  link_open(tokens: Token[], index: number, _options: unknown, env: unknown) {
    toRenderState(env).inLink = true;
    return renderLinkStart(String(getToken(tokens, index).attrGet('href') ?? ''));
  },
  link_close(_tokens: Token[], _index: number, _options: unknown, env: unknown) {
    toRenderState(env).inLink = false;
    return '</a>';
  },
  // No image is loaded, because that would reveal the reader to another server.
  image: (tokens: Token[], index: number) => {
    const token = getToken(tokens, index);
    return (
      '<span class="quiet">[image: ' +
      `${escapeHtml([token.content, token.attrGet('src')].filter(Boolean).join(', '))}]</span>`
    );
  },
  fence: (tokens: Token[], index: number) =>
    `<pre tabindex="0"><code>${escapeHtml(getToken(tokens, index).content)}</code></pre>\n`,
  code_block: (tokens: Token[], index: number) =>
    `<pre tabindex="0"><code>${escapeHtml(getToken(tokens, index).content)}</code></pre>\n`,
  table_open: () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n',
  table_close: () => '</table></div>\n',
  th_open: (tokens: Token[], index: number) => renderCellStart(getToken(tokens, index)),
  td_open: (tokens: Token[], index: number) => renderCellStart(getToken(tokens, index)),
  text(tokens: Token[], index: number, _options: unknown, env: unknown) {
    const { mentionedHandles, inLink } = toRenderState(env);
    const { content } = getToken(tokens, index);
    return inLink ? escapeHtml(content) : linkText(content, mentionedHandles, textParts);
  },
});

/**
 * The maximum length that is rendered, in UTF-16 units. A longer text is shown as it was written.
 */
const MAX_RENDERED_LENGTH = 16 * 1024;

/**
 * How many cells the tables of a text may have. A table has a cell for each of its columns in every
 * row, also where the text has none.
 */
const MAX_CELLS = 4_000;

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

/** Whether the tables of a text could have more cells than are rendered. */
function hasTooManyCells(text: string): boolean {
  if (!text.includes('|')) return false;
  const lines = text.split('\n');
  let columns = 0;
  for (const line of lines)
    if (DIVIDER.test(line)) columns = Math.max(columns, line.split('|').length);
  return columns * lines.length > MAX_CELLS;
}

/** Whether a text is shown as it was written, because it would cost too much to render. */
const isTooCostly = (text: string): boolean =>
  text.length > MAX_RENDERED_LENGTH || hasTooManySigns(text) || hasTooManyCells(text);

/**
 * Renders Markdown that strangers wrote as harmless HTML. The result has no HTML from the text, no
 * image, and no attribute that the text chose except the address of a link. That is http, https or
 * mailto, and marked as `nofollow ugc`. Mentions of the handles in `mentioned` become links. The
 * result is one element, which has the classes of `more` too.
 */
export function renderMarkdown(
  text: string,
  mentioned: readonly string[] = [],
  more: '' | ' e-content' = '',
): Html {
  if (isTooCostly(text))
    return html`<pre class="long${more}" dir="auto" tabindex="0">${text}</pre>`;
  const env: RenderState = { mentionedHandles: new Set(mentioned), inLink: false };
  const rendered = trustHtml(markdown.render(text, env as never));
  return html`<div class="text${more}" dir="auto">${rendered}</div>`;
}
