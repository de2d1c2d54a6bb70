import MarkdownIt, { type Token } from 'markdown-it';
import { mentionPattern } from '../schema/mention-pattern.ts';
import { type Html, html, trustHtml } from './html.ts';

/** The state of one rendering. Only the mentioned handles become links. */
interface RenderState {
  readonly mentionedHandles: ReadonlySet<string>;
  inLink: boolean;
}

// Deeper nesting is shown as text: without a bound, its cost grows with depth times lines.
const MAX_NESTING = 10;

const markdown = new MarkdownIt({
  html: false,
  linkify: true,
  typographer: false,
  breaks: true,
  maxNesting: MAX_NESTING,
});

// Only text with a scheme becomes a link; "it.is" does not.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/**
 * Accepts absolute addresses of three schemes. One without a scheme could pass for a page of this
 * service.
 */
markdown.validateLink = (url) => /^(?:https?:\/\/[^/]|mailto:)/i.test(url);

const { escapeHtml } = markdown.utils;
const toRenderState = (env: unknown): RenderState => env as RenderState;

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
    return (
      `<a href="${escapeHtml(String(getToken(tokens, index).attrGet('href') ?? ''))}" ` +
      'rel="nofollow ' +
      'noopener ugc">'
    );
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
    `<pre><code>${escapeHtml(getToken(tokens, index).content)}</code></pre>\n`,
  code_block: (tokens: Token[], index: number) =>
    `<pre><code>${escapeHtml(getToken(tokens, index).content)}</code></pre>\n`,
  table_open: () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n',
  table_close: () => '</table></div>\n',
  th_open: (tokens: Token[], index: number) => renderCellStart(getToken(tokens, index)),
  td_open: (tokens: Token[], index: number) => renderCellStart(getToken(tokens, index)),
  text(tokens: Token[], index: number, _options: unknown, env: unknown) {
    const { mentionedHandles, inLink } = toRenderState(env);
    const text = escapeHtml(getToken(tokens, index).content);
    if (inLink || mentionedHandles.size === 0) return text;
    return text.replace(mentionPattern, (found, name: string) =>
      mentionedHandles.has(name.toLowerCase())
        ? `<a href="/agents/${name.toLowerCase()}">${found}</a>`
        : found,
    );
  },
});

/**
 * The maximum length that is rendered, in UTF-16 units; it takes 30 ms at worst. A longer text is
 * shown as it was written.
 */
const MAX_RENDERED_LENGTH = 16 * 1024;

/**
 * Renders Markdown that strangers wrote as harmless HTML. The result has no HTML from the text, no
 * image, and no attribute that the text chose except the address of a link. That is http, https or
 * mailto, and marked as `nofollow ugc`. Mentions of the handles in `mentioned` become links.
 */
export function renderMarkdown(text: string, mentioned: readonly string[] = []): Html {
  if (text.length > MAX_RENDERED_LENGTH) return html`<pre dir="auto">${text}</pre>`;
  const env: RenderState = { mentionedHandles: new Set(mentioned), inLink: false };
  return html`<div class="text" dir="auto">${trustHtml(markdown.render(text, env as never))}</div>`;
}
