import { setImmediate as nextTurn } from 'node:timers/promises';
import { escapeXml, XML_HEAD } from '../../kernel/html/xml/xml.ts';
import { mapInTurns } from '../../kernel/map-in-turns.ts';

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

const renderEntries = async (
  element: string,
  entries: readonly SitemapEntry[],
  base: string,
): Promise<string> => {
  const render = async (slice: readonly SitemapEntry[]) =>
    slice.map((entry) => renderEntry(element, entry, base));
  return (await mapInTurns(entries, ENTRIES_PER_TURN, nextTurn, render)).join('');
};

/** Renders a sitemap as sitemaps.org defines it. */
export const renderUrlSet = async (entries: readonly SitemapEntry[], base: string) =>
  `${XML_HEAD}<urlset ${NAMESPACE}>\n${await renderEntries('url', entries, base)}</urlset>\n`;

/** Renders an index of sitemaps as sitemaps.org defines it. */
export const renderSitemapIndex = async (entries: readonly SitemapEntry[], base: string) =>
  `${XML_HEAD}<sitemapindex ${NAMESPACE}>\n` +
  `${await renderEntries('sitemap', entries, base)}</sitemapindex>\n`;
