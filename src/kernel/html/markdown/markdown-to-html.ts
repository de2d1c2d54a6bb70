import MarkdownIt, { type Token } from 'markdown-it';
import { type Html, html, trustHtml } from '../html.ts';
import { linkText, type TextParts } from '../link-text.ts';
import { getMaxHtmlLength, isTooCostly } from './markdown-cost.ts';
import { type FencedBlock, splitFencedBlocks } from './markdown-fences.ts';
import { leadsToOtherPort } from './other-ports.rules.ts';

/** The state of one rendering. Only the mentioned handles become links. */
interface RenderState {
  readonly mentionedHandles: ReadonlySet<string>;
  /** The address of the service, of which no other port is linked. */
  readonly baseUrl: string;
  inLink: boolean;
  /** The text that replaces the closing tag of a link that is shown as text; null for others. */
  plainEnd: string | null;
  /** How many characters of addresses may still be rendered. Below zero, the text has too many. */
  remaining: number;
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

/** The name of a language behind the fence of a block of code, the label that pages show. */
const LANGUAGE = /^[a-z][\w+#.-]{0,19}(?=\s|$)/i;

const { escapeHtml, unescapeAll } = markdown.utils;
const toRenderState = (env: unknown): RenderState => env as RenderState;

/**
 * Takes an address from the characters that remain, and returns nothing for it when none do. A text
 * that names one long address once can refer to it a thousand times: 16 KB were 14 MB of HTML.
 */
function takeAddress(env: unknown, token: Token, attribute: 'href' | 'src'): string {
  const state = toRenderState(env);
  const address = String(token.attrGet(attribute) ?? '');
  state.remaining -= address.length;
  return state.remaining < 0 ? '' : address;
}

const renderLinkStart = (address: string): string =>
  `<a href="${escapeHtml(address)}" rel="nofollow noopener ugc">`;

const renderAddress = (address: string, baseUrl: string): string =>
  markdown.validateLink(address) && !leadsToOtherPort(address, baseUrl)
    ? `${renderLinkStart(markdown.normalizeLink(address))}${escapeHtml(address)}</a>`
    : escapeHtml(address);

const textParts: Omit<TextParts, 'renderAddress'> = {
  renderText: escapeHtml,
  renderMention: (found, handle) => `<a href="/agents/${handle}">${found}</a>`,
};

/** Returns the tag of a heading in a text, which is always below the headings of the page. */
const toHeadingTag = ({ tag }: Token): string => `h${Math.min(6, Number(tag.slice(1)) + 3)}`;

/**
 * Renders the start of a cell. Right alignment becomes a class, and all other styles are left out.
 */
const renderCellStart = (token: Token): string =>
  `<${token.tag}${token.attrGet('style') === 'text-align:right' ? ' class="number"' : ''}>`;

/** Renders a block of code, with the name of its language if it has one. */
function renderCode({ info, content }: FencedBlock): string {
  const [name] = LANGUAGE.exec(unescapeAll(info).trim()) ?? [];
  const label = name === undefined ? '' : ` data-lang="${name}"`;
  return `<pre tabindex="0"${label}><code>${escapeHtml(content)}</code></pre>\n`;
}

const getToken = (tokens: readonly Token[], index: number): Token => tokens[index] as Token;

Object.assign(markdown.renderer.rules, {
  heading_open: (tokens: Token[], index: number) => `<${toHeadingTag(getToken(tokens, index))}>`,
  heading_close: (tokens: Token[], index: number) =>
    `</${toHeadingTag(getToken(tokens, index))}>\n`,
  // Other attributes that a text could choose (titles, styles of cells, classes of code) are left
  // out.
  link_open(tokens: Token[], index: number, _options: unknown, env: unknown) {
    const state = toRenderState(env);
    const token = getToken(tokens, index);
    const address = takeAddress(env, token, 'href');
    state.inLink = true;
    if (!leadsToOtherPort(address, state.baseUrl)) return renderLinkStart(address);
    state.plainEnd = token.info === 'auto' ? '' : ` (${escapeHtml(address)})`;
    return '';
  },
  link_close(_tokens: Token[], _index: number, _options: unknown, env: unknown) {
    const state = toRenderState(env);
    const end = state.plainEnd ?? '</a>';
    state.inLink = false;
    state.plainEnd = null;
    return end;
  },
  // No image is loaded, because that would reveal the reader to another server.
  image: (tokens: Token[], index: number, _options: unknown, env: unknown) => {
    const token = getToken(tokens, index);
    const address = takeAddress(env, token, 'src');
    return (
      '<span class="quiet">[image: ' +
      `${escapeHtml([token.content, address].filter(Boolean).join(', '))}]</span>`
    );
  },
  fence: (tokens: Token[], index: number) => renderCode(getToken(tokens, index)),
  code_block: (tokens: Token[], index: number) =>
    renderCode({ info: '', content: getToken(tokens, index).content }),
  table_open: () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n',
  table_close: () => '</table></div>\n',
  th_open: (tokens: Token[], index: number) => renderCellStart(getToken(tokens, index)),
  td_open: (tokens: Token[], index: number) => renderCellStart(getToken(tokens, index)),
  text(tokens: Token[], index: number, _options: unknown, env: unknown) {
    const { mentionedHandles, inLink, baseUrl } = toRenderState(env);
    const { content } = getToken(tokens, index);
    if (inLink) return escapeHtml(content);
    return linkText(content, mentionedHandles, {
      ...textParts,
      renderAddress: (address) => renderAddress(address, baseUrl),
    });
  },
});

/** Renders a text, or returns null if its HTML has more than `maxLength` characters. */
function renderWithin(text: string, state: RenderState, maxLength: number): Html | null {
  const rendered = markdown.render(text, state as never);
  return state.remaining < 0 || rendered.length > maxLength ? null : trustHtml(rendered);
}

const renderAsWritten = (text: string, more: '' | ' e-content' = ''): Html =>
  html`<pre class="long${more}" dir="auto" tabindex="0">${text}</pre>`;

/**
 * Renders a text that is too long or too costly for the parser, if it has fenced blocks. Code costs
 * little, and a listing is often all that made the text so long. What stands between the blocks is
 * rendered if all of it is within the limits, and otherwise shown as it was written. Returns null
 * for a text without blocks, or if its HTML has more than `maxLength` characters.
 */
function renderAroundCode(text: string, state: RenderState, maxLength: number): Html | null {
  const parts = splitFencedBlocks(text);
  if (!parts) return null;
  const prose = parts.filter((part) => typeof part === 'string').join('\n\n');
  const asWritten = isTooCostly(prose);
  const renderProse = (part: string): string =>
    asWritten ? renderAsWritten(part).text : markdown.render(part, state as never);
  const rendered: string[] = [];
  let length = 0;
  for (const part of parts) {
    const done = typeof part === 'string' ? renderProse(part) : renderCode(part);
    length += done.length;
    if (state.remaining < 0 || length > maxLength) return null;
    rendered.push(done);
  }
  return trustHtml(rendered.join(''));
}

/**
 * Renders Markdown that strangers wrote as harmless HTML. The result has no HTML from the text, no
 * image, and no attribute that the text chose except the address of a link and the name of a
 * language. The address is http, https or mailto, of no other port of `baseUrl`, and marked as
 * `nofollow ugc`. Mentions of the handles in `mentioned` become links. The result is one element,
 * which has the classes of `more` too. A text that would cost too much, or become too long, is
 * shown as it was written, but for its blocks of code.
 */
export function renderMarkdown(
  text: string,
  mentioned: readonly string[] = [],
  more: '' | ' e-content' = '',
  baseUrl = '',
): Html {
  const maxLength = getMaxHtmlLength(text);
  const createState = (): RenderState => ({
    mentionedHandles: new Set(mentioned),
    baseUrl,
    inLink: false,
    plainEnd: null,
    remaining: maxLength,
  });
  const rendered =
    (isTooCostly(text) ? null : renderWithin(text, createState(), maxLength)) ??
    renderAroundCode(text, createState(), maxLength);
  return rendered === null
    ? renderAsWritten(text, more)
    : html`<div class="text${more}" dir="auto">${rendered}</div>`;
}
