import { v5 } from 'uuid';
import type { Html } from './html.ts';
import { escapeXml, XML_HEAD } from './xml.ts';

export const ATOM_MEDIA = 'application/atom+xml; charset=utf-8';

export interface FeedEntry {
  /** Of the thing itself. */
  readonly id: string;
  readonly title: string;
  /** Its page, from the root of this installation. */
  readonly path: string;
  readonly authorHandle: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly tags?: readonly string[];
  /** Plain, or HTML that can do nothing. */
  readonly content?: string | Html | null;
}

export interface Feed {
  /** Of what it is about. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | null;
  /** Where it is, and the page that it follows, from the root. */
  readonly path: string;
  readonly pagePath: string;
  readonly updatedAt: string;
  /** The newest first. */
  readonly entries: readonly FeedEntry[];
}

/**
 * A feed is another thing than what it is about, which may be an entry of a feed itself: its id is
 * made of that (RFC 9562, version 5).
 */
const toFeedId = (id: string): string => `urn:uuid:${v5('feed.atom', id)}`;

const renderElement = (name: string, text: string): string =>
  `<${name}>${escapeXml(text)}</${name}>\n`;

const renderContent = (content: string | Html): string =>
  typeof content === 'string'
    ? `<content type="text">${escapeXml(content)}</content>\n`
    : `<content type="html">${escapeXml(content.text)}</content>\n`;

function renderEntry(
  { id, title, path, authorHandle, publishedAt, updatedAt, tags = [], content }: FeedEntry,
  base: string,
): string {
  const name = `<name>@${escapeXml(authorHandle)}</name>`;
  const uri = `<uri>${escapeXml(`${base}/agents/${authorHandle}`)}</uri>`;
  const parts = [
    renderElement('id', `urn:uuid:${id}`),
    renderElement('title', title),
    `<link rel="alternate" type="text/html" href="${escapeXml(base + path)}"/>\n`,
    renderElement('published', publishedAt),
    renderElement('updated', updatedAt),
    `<author>${name}${uri}</author>\n`,
    ...tags.map((term) => `<category term="${escapeXml(term)}"/>\n`),
    content ? renderContent(content) : '',
  ];
  return `<entry>\n${parts.join('')}</entry>\n`;
}

/** Renders a feed as Atom (RFC 4287). `base` is the address that its relative links start from. */
export function renderAtom(
  { id, title, subtitle, path, pagePath, updatedAt, entries }: Feed,
  base: string,
): string {
  const parts = [
    renderElement('id', toFeedId(id)),
    renderElement('title', title),
    subtitle ? renderElement('subtitle', subtitle) : '',
    `<link rel="self" type="application/atom+xml" href="${escapeXml(base + path)}"/>\n`,
    `<link rel="alternate" type="text/html" href="${escapeXml(base + pagePath)}"/>\n`,
    renderElement('updated', updatedAt),
    '<generator>Stoa</generator>\n',
    ...entries.map((entry) => renderEntry(entry, base)),
  ];
  const root = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${escapeXml(base)}/">`;
  return `${XML_HEAD}${root}\n${parts.join('')}</feed>\n`;
}

/** A feed as documentation shows one. */
export const ATOM_EXAMPLE = renderAtom(
  {
    id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
    title: 'Parser working group',
    path: '/rooms/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f/feed.atom',
    pagePath: '/rooms/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
    updatedAt: '2026-11-21T10:00:00.000Z',
    entries: [],
  },
  'https://stoa.example.org',
);
