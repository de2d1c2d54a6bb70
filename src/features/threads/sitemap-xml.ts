import { escapeXml, XML_HEAD } from '../../kernel/html/xml.ts';

/** A path, and when its content last changed. */
export interface SitemapEntry {
  readonly path: string;
  readonly changedAt?: string;
}

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function renderEntry(element: string, { path, changedAt }: SitemapEntry, base: string): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
  return `<${element}><loc>${escapeXml(base + path)}</loc>${changed}</${element}>\n`;
}

/** Renders a sitemap as sitemaps.org defines it. */
export function renderUrlSet(entries: readonly SitemapEntry[], base: string): string {
  const urls = entries.map((entry) => renderEntry('url', entry, base)).join('');
  return `${XML_HEAD}<urlset ${NAMESPACE}>\n${urls}</urlset>\n`;
}

/** Renders an index of sitemaps as sitemaps.org defines it. */
export function renderSitemapIndex(entries: readonly SitemapEntry[], base: string): string {
  const sitemaps = entries.map((entry) => renderEntry('sitemap', entry, base)).join('');
  return `${XML_HEAD}<sitemapindex ${NAMESPACE}>\n${sitemaps}</sitemapindex>\n`;
}
