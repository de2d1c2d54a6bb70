import MarkdownIt, { type Token } from 'markdown-it';
import { type Html, trustHtml } from '../../kernel/html/html.ts';

/** A heading of the second level, with its anchor. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** A document as HTML. */
export interface RenderedDocument {
  /** The document without its heading of the first level, which the page adds. */
  readonly body: Html;
  readonly contents: readonly Heading[];
}

/** State of one rendering: the number of tables so far. A type alias fits markdown-it's `Env`. */
type RenderState = { tables: number };

// The documents are our own, so that links may lead to paths of this service.
const markdown = new MarkdownIt({ html: false });
markdown.validateLink = (url) =>
  /^(?:https?:\/\/|mailto:|[/#]|[a-z-]+\.(?:md|schema\.json)\b)/i.test(url);

const { escapeHtml } = markdown.utils;

Object.assign(markdown.renderer.rules, {
  table_open: (_tokens: Token[], _index: number, _options: unknown, state: RenderState) =>
    `<div class="scroll" tabindex="0" role="group" aria-label="Table ${++state.tables}"><table>\n`,
  table_close: () => '</table></div>\n',
  // An empty cell in the head of a table is no header.
  th_open: (tokens: Token[], index: number) =>
    tokens[index + 1]?.content ? '<th scope="col">' : '<td>',
  th_close: (tokens: Token[], index: number) => (tokens[index - 1]?.content ? '</th>' : '</td>'),
  td_open: () => '<td>',
  fence: (tokens: Token[], index: number) =>
    `<pre><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`,
});

/** Converts the address of a link, so that it leads to the page of a document, not its Markdown. */
function toPageHref(href: string, baseUrl: string): string {
  const path = href.startsWith(`${baseUrl}/`) ? href.slice(baseUrl.length) : href;
  return path.replace(/^([a-z-]+\.)/, '/docs/$1').replace(/^(\/docs\/[a-z-]+)\.md(?=#|$)/, '$1');
}

/** Returns the text of a heading without its markup. */
const toPlainText = (inline: Token | undefined): string =>
  (inline?.children ?? []).map(({ content }) => content).join('');

/** Converts a heading to its anchor like GitHub: in lower case, with hyphens between words. */
const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Renders one line of our own Markdown as HTML. */
export const renderText = (text: string): Html => trustHtml(markdown.renderInline(text));

/** Renders a document of this service. Headings get anchors, and links lead to pages. */
export function renderDocument(text: string, baseUrl: string): RenderedDocument {
  const tokens = markdown.parse(text, {});
  const seen = new Map<string, number>();
  const contents: Heading[] = [];
  tokens.splice(
    tokens.findIndex(({ tag }) => tag === 'h1'),
    3,
  );
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const words = toPlainText(tokens[index + 1]);
      const times = seen.get(words) ?? 0;
      seen.set(words, times + 1);
      const id = times === 0 ? toSlug(words) : `${toSlug(words)}-${times}`;
      token.attrSet('id', id);
      if (token.tag === 'h2') contents.push({ id, text: words });
    }
    for (const link of (token.children ?? []).filter(({ type }) => type === 'link_open'))
      link.attrSet('href', toPageHref(String(link.attrGet('href')), baseUrl));
  }
  const state: RenderState = { tables: 0 };
  return {
    body: trustHtml(markdown.renderer.render(tokens, markdown.options, state)),
    contents,
  };
}
