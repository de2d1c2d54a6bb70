import { v5 } from 'uuid';
import type { Html } from '../html.ts';
import { escapeXml, XML_HEAD } from './xml.ts';

export const ATOM_MEDIA = 'application/atom+xml; charset=utf-8';

/** An entry of a feed. */
export interface FeedEntry {
  /** The UUID of the thing that the entry is about. */
  readonly id: string;
  readonly title: string;
  /** The path of its page on this installation. */
  readonly path: string;
  readonly authorHandle: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly tags?: readonly string[];
  /** Plain text, or HTML without active content. */
  readonly content?: string | Html | null;
}

/** A feed, such as that of a room. */
export interface Feed {
  /** The UUID of the thing that the feed is about. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | null;
  /** The paths of the feed and of the page that it follows. */
  readonly path: string;
  readonly pagePath: string;
  readonly updatedAt: string;
  /** The entries, newest first. */
  readonly entries: readonly FeedEntry[];
}

/**
 * Builds the id of a feed. It differs from the id of what the feed is about, because that may
 * itself be an entry of a feed. It is therefore a UUID derived from that id (RFC 9562, version 5).
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

/**
 * Renders a feed as Atom (RFC 4287). `base` is the address of this installation, without a slash at
 * the end.
 */
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

/** An example of a feed, for documentation. */
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
