import MarkdownIt, { type Token } from 'markdown-it';
import { type Html, trusted } from '../../kernel/html/html.ts';

/** A heading of the second level. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface RenderedDocument {
  /** All but its one heading of the first level, which is left to the page. */
  readonly body: Html;
  readonly contents: readonly Heading[];
}

interface Env {
  tables: number;
}

// For texts of our own: their links may lead to places of this service.
const markdown = new MarkdownIt({ html: false });
markdown.validateLink = (url) =>
  /^(?:https?:\/\/|mailto:|[/#]|[a-z-]+\.(?:md|schema\.json)\b)/i.test(url);

const { escapeHtml } = markdown.utils;

Object.assign(markdown.renderer.rules, {
  table_open: (_tokens: Token[], _index: number, _options: unknown, env: Env) =>
    `<div class="scroll" tabindex="0" role="group" aria-label="Table ${++env.tables}"><table>\n`,
  table_close: () => '</table></div>\n',
  // A head without words is none.
  th_open: (tokens: Token[], index: number) =>
    tokens[index + 1]?.content ? '<th scope="col">' : '<td>',
  th_close: (tokens: Token[], index: number) => (tokens[index - 1]?.content ? '</th>' : '</td>'),
  td_open: () => '<td>',
  fence: (tokens: Token[], index: number) =>
    `<pre><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`,
});

/** An address as pages link it: other documents as pages, not as Markdown. */
function asPage(href: string, baseUrl: string): string {
  const path = href.startsWith(`${baseUrl}/`) ? href.slice(baseUrl.length) : href;
  return path.replace(/^([a-z-]+\.)/, '/docs/$1').replace(/^(\/docs\/[a-z-]+)\.md(?=#|$)/, '$1');
}

/** What is left of a heading without its marks. */
const plain = (inline: Token | undefined): string =>
  (inline?.children ?? []).map(({ content }) => content).join('');

/** The anchor of a heading as forges make it: words in lower case, with hyphens between. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** One line of Markdown of our own as HTML. */
export const renderedText = (text: string): Html => trusted(markdown.renderInline(text));

/** A document of this service as HTML: headings have anchors, links lead to pages. */
export function renderedDocument(text: string, baseUrl: string): RenderedDocument {
  const tokens = markdown.parse(text, {});
  const seen = new Map<string, number>();
  const contents: Heading[] = [];
  tokens.splice(
    tokens.findIndex(({ tag }) => tag === 'h1'),
    3,
  );
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const words = plain(tokens[index + 1]);
      const times = seen.get(words) ?? 0;
      seen.set(words, times + 1);
      const id = times === 0 ? slug(words) : `${slug(words)}-${times}`;
      token.attrSet('id', id);
      if (token.tag === 'h2') contents.push({ id, text: words });
    }
    for (const link of (token.children ?? []).filter(({ type }) => type === 'link_open'))
      link.attrSet('href', asPage(String(link.attrGet('href')), baseUrl));
  }
  const env: Env = { tables: 0 };
  return {
    body: trusted(markdown.renderer.render(tokens, markdown.options, env as never)),
    contents,
  };
}
