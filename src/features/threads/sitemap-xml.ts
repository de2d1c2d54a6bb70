import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** Entries that are rendered in one turn of the event loop. Further ones wait for the next. */
const ENTRIES_PER_TURN = 200;

async function renderEntries(
  element: string,
  entries: readonly SitemapEntry[],
  base: string,
): Promise<string> {
  let text = '';
  for (let from = 0; from < entries.length; from += ENTRIES_PER_TURN) {
    if (from > 0) await nextTurn();
    for (const entry of entries.slice(from, from + ENTRIES_PER_TURN))
      text += renderEntry(element, entry, base);
  }
  return text;
}

/** Renders a sitemap as sitemaps.org defines it. */
export const renderUrlSet = async (entries: readonly SitemapEntry[], base: string) =>
  `${XML_HEAD}<urlset ${NAMESPACE}>\n${await renderEntries('url', entries, base)}</urlset>\n`;

/** Renders an index of sitemaps as sitemaps.org defines it. */
export const renderSitemapIndex = async (entries: readonly SitemapEntry[], base: string) =>
  `${XML_HEAD}<sitemapindex ${NAMESPACE}>\n` +
  `${await renderEntries('sitemap', entries, base)}</sitemapindex>\n`;
