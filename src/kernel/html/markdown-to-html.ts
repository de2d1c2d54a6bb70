import MarkdownIt, { type Token } from 'markdown-it';
import { mentionPattern } from '../schema/mention-pattern.ts';
import { type Html, html, trustHtml } from './html.ts';

/** Whoever renders says whom a text addresses: those names become links. */
interface RenderState {
  readonly mentionedHandles: ReadonlySet<string>;
  inLink: boolean;
}

const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: true });

// Only what says itself that it is an address; "it.is" is none.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/**
 * Absolute addresses of three kinds. One without a scheme would pass for a place of this service.
 */
markdown.validateLink = (url) => /^(?:https?:\/\/[^/]|mailto:)/i.test(url);

const { escapeHtml } = markdown.utils;
const toRenderState = (env: unknown): RenderState => env as RenderState;

/** Below the headings of the page, whatever a text makes of itself. */
const toHeadingTag = ({ tag }: Token): string => `h${Math.min(6, Number(tag.slice(1)) + 3)}`;

/**
 * A column of figures stands at the right, as its text asks for by a style; that style itself is
 * left out.
 */
const renderCellStart = (token: Token): string =>
  `<${token.tag}${token.attrGet('style') === 'text-align:right' ? ' class="number"' : ''}>`;

const getToken = (tokens: readonly Token[], index: number): Token => tokens[index] as Token;

Object.assign(markdown.renderer.rules, {
  heading_open: (tokens: Token[], index: number) => `<${toHeadingTag(getToken(tokens, index))}>`,
  heading_close: (tokens: Token[], index: number) =>
    `</${toHeadingTag(getToken(tokens, index))}>\n`,
  // Attributes that a text could choose besides (titles, styles of cells, classes of code) are left
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
  // Nothing is loaded from anywhere: whoever reads is not told on.
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
 * Most UTF-16 units that are rendered: 30 ms at their worst. What is longer is shown as it was
 * written.
 */
const MAX_RENDERED_LENGTH = 16 * 1024;

/**
 * A text of Markdown by strangers as HTML that can do nothing: no HTML of its own, no image, no
 * attribute that it chose but the address of a link, which is http, https or mailto and vouched for
 * by nobody. `mentioned`: handles that are links.
 */
export function renderMarkdown(text: string, mentioned: readonly string[] = []): Html {
  if (text.length > MAX_RENDERED_LENGTH) return html`<pre dir="auto">${text}</pre>`;
  const env: RenderState = { mentionedHandles: new Set(mentioned), inLink: false };
  return html`<div class="text" dir="auto">${trustHtml(markdown.render(text, env as never))}</div>`;
}
