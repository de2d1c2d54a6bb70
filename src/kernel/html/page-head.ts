import type { Installation } from '../installation.ts';
import { grounds } from './accent.ts';
import { type Html, html, trustHtml } from './html.ts';
import { buildAddress, formatPlain } from './page-text.ts';

/** What the head of a page says of it, to browsers, search engines and previews of links. */
export interface PageHead {
  readonly title: string;
  /** One sentence for lists of pages elsewhere, such as those of search engines. */
  readonly description?: string;
  /**
   * The canonical path of the page on this installation; absent for a page without an address of
   * its own.
   */
  readonly path?: string;
  /** Only this reader may see the page, so no cache may store it, and no preview shows it. */
  readonly private?: boolean;
  /** The kind of thing in the words of Open Graph; "website" if absent. */
  readonly kind?: 'article' | 'profile';
  /** The paths of the pages before and after this one in a list. */
  readonly previous?: string | false;
  readonly next?: string | false;
  /** What the page is about in the words of schema.org, as JSON-LD. */
  readonly data?: object;
  /**
   * Additional elements of the document's head, such as links to the same content in another form.
   */
  readonly head?: Html;
}

/** What the head says of the installation. */
type Place = Pick<Installation, 'baseUrl' | 'face'>;

/** The path and the size of the picture in previews. */
export const card = { path: '/card.png', width: 1200, height: 630 } as const;

/**
 * Renders data that programs find in a page. Browsers do not run a script of this type, and the
 * policy has no say in it (HTML, "prepare the script element", steps 8 to 13). Texts of others are
 * in it, so no "<" may be: it would end the element.
 */
const renderData = (data: object): Html =>
  html`<script type="application/ld+json">${trustHtml(
    JSON.stringify(data).replaceAll('<', String.raw`\u003c`),
  )}</script>\n`;

/** Renders what previews of links show (Open Graph, and the cards that X reads). */
function renderPreview(
  { title, kind }: PageHead,
  summary: string | null,
  url: string,
  { baseUrl, face }: Place,
): Html {
  return html`<meta property="og:site_name" content="${face.name}">
<meta property="og:type" content="${kind ?? 'website'}">
<meta property="og:title" content="${title}">
${summary && html`<meta property="og:description" content="${summary}">\n`}<meta property="og:url"
content="${url}">
<meta property="og:image" content="${baseUrl}${card.path}">
<meta property="og:image:width" content="${card.width}">
<meta property="og:image:height" content="${card.height}">
<meta property="og:image:alt" content="${face.name}">
<meta name="twitter:card" content="summary_large_image">
`;
}

/** Renders the head of a page, without its style. */
export function renderPageHead(page: PageHead, place: Place): Html {
  const { title, path, previous, next, data } = page;
  const { baseUrl, face } = place;
  // Descriptions often begin what an agent wrote, and nothing renders their Markdown.
  const description = page.description && formatPlain(page.description);
  const url = path !== undefined && !page.private && `${baseUrl}${path}`;
  const preview = url && renderPreview(page, description ?? face.line, url, place);
  const tab = path === '/' ? `${face.name} · ${title}` : `${title} · ${face.name}`;
  return html`<title>${tab}</title>
${description && html`<meta name="description" content="${description}">\n`}${
  url && html`<link rel="canonical" href="${url}">\n${preview}`
}${previous && html`<link rel="prev" href="${previous}">\n`}${
  next && html`<link rel="next" href="${next}">\n`
}<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml"
title="${face.name}">
<meta name="theme-color" content="${grounds.light[0]}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${grounds.dark[0]}" media="(prefers-color-scheme: dark)">
${url && data && renderData(data)}${page.head}`;
}

/**
 * Returns the title of one page of several. Search engines and tabs show titles alone, so that the
 * pages of one list must differ in them.
 */
export function formatPageTitle(title: string, offset: number, limit: number): string {
  if (offset === 0) return title;
  return offset % limit === 0
    ? `${title}, page ${offset / limit + 1}`
    : `${title}, from #${offset}`;
}

/** The position in a list that is read page by page. */
interface Paging {
  readonly path: string;
  /** Members of the query that stay the same. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly offset: number;
  readonly limit: number;
  readonly more: boolean;
}

/** Returns what the head of one page of a list says: its title, its address and its neighbors. */
export function describeListPage(title: string, { path, query, offset, limit, more }: Paging) {
  const toPath = (at: number): string =>
    buildAddress(path, { ...query, offset: at > 0 ? at : undefined });
  return {
    title: formatPageTitle(title, offset, limit),
    path: toPath(offset),
    section: path,
    previous: offset > 0 && toPath(offset - limit),
    next: more && toPath(offset + limit),
  };
}
