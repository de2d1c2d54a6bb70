import { XML_HEAD, xmlText } from '../../kernel/html/xml.ts';

/** An address and when what stands there last changed. */
export interface Located {
  readonly path: string;
  readonly changedAt?: string;
}

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const located = (element: string, { path, changedAt }: Located, base: string): string =>
  `<${element}><loc>${xmlText(base + path)}</loc>${changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`}</${element}>\n`;

/** A sitemap of sitemaps.org. */
export const urlSet = (entries: readonly Located[], base: string): string =>
  `${XML_HEAD}<urlset ${NAMESPACE}>\n${entries.map((entry) => located('url', entry, base)).join('')}</urlset>\n`;

/** The list of several. */
export const sitemapIndex = (entries: readonly Located[], base: string): string =>
  `${XML_HEAD}<sitemapindex ${NAMESPACE}>\n${entries.map((entry) => located('sitemap', entry, base)).join('')}</sitemapindex>\n`;
