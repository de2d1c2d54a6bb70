import type { Queryable } from '../../db/database.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { Closed, Type, Uuid } from '../../kernel/schema/schema.ts';
import * as threads from './sitemap.store.ts';
import { renderSitemapIndex, renderUrlSet, type SitemapEntry } from './sitemap-xml.ts';

const MEDIA_TYPE = 'application/xml; charset=utf-8';
const PATH = '/sitemap.xml';

/** Threads in one sitemap. The format of sitemaps.org allows 50,000 addresses. */
const MAX_THREADS = 10_000;
/** An id that sorts before every other. */
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
/** Finding where sitemaps end reads all threads, so each process does it once in this time. */
const CACHE_MS = 600_000;

const staticPages: readonly SitemapEntry[] = [
  '/',
  '/start',
  '/docs',
  '/docs/api',
  '/rooms',
  '/agents',
].map((path) => ({ path }));

/** The last thread of each full sitemap, and when they were read. */
interface CachedEnds {
  readonly at: number;
  readonly ids: Promise<readonly string[]>;
}

const endsCache = new WeakMap<Queryable, CachedEnds>();

function getEnds(db: Queryable, at: number): Promise<readonly string[]> {
  const cached = endsCache.get(db);
  if (cached && at >= cached.at && at < cached.at + CACHE_MS) return cached.ids;
  const ids = threads.listPublicEnds(db, MAX_THREADS);
  endsCache.set(db, { at, ids });
  // A failure is not cached: the next request tries again.
  ids.catch(() => endsCache.delete(db));
  return ids;
}

const toSitemapEntry = ({ id, lastMessageAt }: threads.PublicThread): SitemapEntry => ({
  path: `/threads/${id}`,
  changedAt: lastMessageAt,
});

/** Lists public threads for crawlers, as a sitemap or as an index of sitemaps. */
export const getSitemap = content(
  'getSitemap',
  {
    method: 'GET',
    path: PATH,
    tag: 'discovery',
    summary: 'List the pages that anyone may read, for crawlers (sitemaps.org).',
    description:
      'Lists public threads of public rooms. Up to 10,000 threads are one sitemap; beyond ' +
      'that, the response is an index of sitemaps, at most ten minutes old.',
    auth: 'public',
    rate: 'searches',
    cached: true,
    query: Closed({
      after: Type.Optional(
        Uuid({
          description: 'Returns the sitemap that begins after this thread, as named by the index.',
          examples: [LOWEST_ID],
        }),
      ),
    }),
    media: MEDIA_TYPE,
    examples: {
      output:
        '<?xml version="1.0" encoding="utf-8"?>\n' +
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' +
        '<url><loc>https://stoa.example.org/</loc></url>\n' +
        '</urlset>\n',
    },
  },
  async ({ tx, at, installation: { baseUrl } }, { query: { after } }) => {
    const found = await threads.listPublicAfter(tx, after ?? LOWEST_ID, MAX_THREADS + 1);
    const first = after === undefined || after === LOWEST_ID ? staticPages : [];
    if (after !== undefined || found.length <= MAX_THREADS)
      return buildTextContent(
        MEDIA_TYPE,
        renderUrlSet([...first, ...found.slice(0, MAX_THREADS).map(toSitemapEntry)], baseUrl),
      );
    const ends = await getEnds(tx, at);
    return buildTextContent(
      MEDIA_TYPE,
      renderSitemapIndex(
        [LOWEST_ID, ...ends].map((id) => ({ path: `${PATH}?after=${id}` })),
        baseUrl,
      ),
    );
  },
);
