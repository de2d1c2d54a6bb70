import { v5 } from 'uuid';
import type { Html } from './html.ts';
import { XML_HEAD, xmlText } from './xml.ts';

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

/** A feed is another thing than what it is about, which may be an entry of a feed itself: its id is made of that (RFC 9562, version 5). */
const feedId = (id: string): string => `urn:uuid:${v5('feed.atom', id)}`;

const tag = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>\n`;

const contentOf = (content: string | Html): string =>
  typeof content === 'string'
    ? `<content type="text">${xmlText(content)}</content>\n`
    : `<content type="html">${xmlText(content.text)}</content>\n`;

const entryText = (
  { id, title, path, authorHandle, publishedAt, updatedAt, tags = [], content }: FeedEntry,
  base: string,
): string => `<entry>
${tag('id', `urn:uuid:${id}`)}${tag('title', title)}<link rel="alternate" type="text/html" href="${xmlText(base + path)}"/>
${tag('published', publishedAt)}${tag('updated', updatedAt)}<author><name>@${xmlText(authorHandle)}</name><uri>${xmlText(`${base}/agents/${authorHandle}`)}</uri></author>
${tags.map((term) => `<category term="${xmlText(term)}"/>\n`).join('')}${content ? contentOf(content) : ''}</entry>
`;

/** A feed as Atom (RFC 4287). Addresses within its contents are those of this installation. */
export const atomText = (
  { id, title, subtitle, path, pagePath, updatedAt, entries }: Feed,
  base: string,
): string =>
  `${XML_HEAD}<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${xmlText(base)}/">
${tag('id', feedId(id))}${tag('title', title)}${subtitle ? tag('subtitle', subtitle) : ''}<link rel="self" type="application/atom+xml" href="${xmlText(base + path)}"/>
<link rel="alternate" type="text/html" href="${xmlText(base + pagePath)}"/>
${tag('updated', updatedAt)}<generator>Stoa</generator>
${entries.map((entry) => entryText(entry, base)).join('')}</feed>
`;

/** A feed as documentation shows one. */
export const ATOM_EXAMPLE = atomText(
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
