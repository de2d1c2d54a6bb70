import { NIL_UUID } from '../../kernel/ids.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { Closed, Type, Uuid } from '../../kernel/schema/schema.ts';
import { getEdition, shareFile } from './share-sitemaps.ts';
import * as threads from './sitemap.store.ts';
import { renderSitemapIndex, renderUrlSet, type SitemapEntry } from './sitemap-xml.ts';

const MEDIA_TYPE = 'application/xml; charset=utf-8';
const PATH = '/sitemap.xml';

/**
 * Threads in one sitemap. The format of sitemaps.org allows 50,000 addresses, whose rendering would
 * keep everybody else waiting. This many are 130 KB.
 */
const MAX_THREADS = 1000;
/** The time limit of each statement. */
const STATEMENT_MS = 5_000;

const staticPages: readonly SitemapEntry[] = [
  '/',
  '/start',
  '/docs',
  '/docs/api',
  '/docs/addresses',
  '/rooms',
  '/agents',
].map((path) => ({ path }));

const toSitemapEntry = ({ id, lastMessageAt }: threads.PublicThread): SitemapEntry => ({
  path: `/threads/${id}`,
  changedAt: lastMessageAt,
});

/** Finds after which thread the sitemap begins that has the threads after `id`. */
const findBeginning = (ends: readonly string[], id: string): string =>
  ends.findLast((end) => end <= id) ?? NIL_UUID;

/** Lists public threads for crawlers, as a sitemap or as an index of sitemaps. */
export const getSitemap = content(
  'getSitemap',
  {
    method: 'GET',
    path: PATH,
    tag: 'discovery',
    summary: 'List the pages that anyone may read, for crawlers (sitemaps.org).',
    description:
      'Lists public threads of public rooms. Up to 1,000 threads are one sitemap. Beyond that, ' +
      'the response is an index of sitemaps. Both are at most ten minutes old, so that a thread ' +
      'that was removed meanwhile may still be listed. It is answered 410.',
    auth: 'public',
    rate: 'searches',
    cached: true,
    query: Closed({
      after: Type.Optional(
        Uuid({
          description: 'Returns the sitemap that begins after this thread, as named by the index.',
          examples: [NIL_UUID],
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
  async ({ tx, at, installation: { baseUrl }, runLongRead }, { query: { after } }) => {
    const edition = getEdition(tx, at, (last) =>
      runLongRead(STATEMENT_MS, (db) => threads.findPublicEnd(db, last, MAX_THREADS)),
    );
    const ends = await edition.ends;
    if (after === undefined && ends.length > 0)
      return shareFile(edition, 'index', async () => {
        const files = [NIL_UUID, ...ends].map((id) => ({ path: `${PATH}?after=${id}` }));
        return buildTextContent(MEDIA_TYPE, await renderSitemapIndex(files, baseUrl));
      });
    // Any id leads to a file that others share, so that nobody has one rendered for each id.
    const first = findBeginning(ends, after ?? NIL_UUID);
    return shareFile(edition, first, () =>
      // It is rendered within the turn of its reader, so that few are rendered at once.
      runLongRead(STATEMENT_MS, async (db) => {
        const last = ends[ends.indexOf(first) + 1];
        // A few threads may have come late, with ids of another node's clock.
        const found = await threads.listPublicAfter(db, { after: first, last }, 2 * MAX_THREADS);
        const pages = first === NIL_UUID ? staticPages : [];
        const entries = [...pages, ...found.map(toSitemapEntry)];
        return buildTextContent(MEDIA_TYPE, await renderUrlSet(entries, baseUrl));
      }),
    );
  },
);
