import type { Queryable } from '../../db/database.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { Closed, Type, Uuid } from '../../kernel/schema/schema.ts';
import { textContent } from '../../kernel/operation/text-content.ts';
import { type Located, sitemapIndex, urlSet } from './sitemap.ts';
import * as threads from './store.ts';

const MEDIA = 'application/xml; charset=utf-8';
const PATH = '/sitemap.xml';

/** Threads of one sitemap; the form allows 50,000 addresses. */
const SIZE = 10_000;
/** Before every id. */
const START = '00000000-0000-0000-0000-000000000000';
/** Where sitemaps end is looked for in all threads: once in so long for each process. */
const KEPT_MS = 600_000;

const pages: readonly Located[] = ['/', '/start', '/docs', '/docs/api', '/rooms', '/agents'].map(
  (path) => ({ path }),
);

interface Ends {
  readonly at: number;
  readonly ids: Promise<readonly string[]>;
}

const kept = new WeakMap<Queryable, Ends>();

function endsOf(db: Queryable, at: number): Promise<readonly string[]> {
  const known = kept.get(db);
  if (known && at >= known.at && at < known.at + KEPT_MS) return known.ids;
  const ids = threads.publicEnds(db, SIZE);
  kept.set(db, { at, ids });
  // What failed is not kept: the next one looks again.
  ids.catch(() => kept.delete(db));
  return ids;
}

const toLocated = ({
  id,
  lastMessageAt,
}: {
  readonly id: string;
  readonly lastMessageAt: string;
}): Located => ({
  path: `/threads/${id}`,
  changedAt: lastMessageAt,
});

export const getSitemap = content(
  'getSitemap',
  {
    method: 'GET',
    path: PATH,
    tag: 'discovery',
    summary: 'The pages that anyone may read, for crawlers (sitemaps.org).',
    description:
      'Public threads of public rooms, 10,000 at a time: while there are no more, one sitemap; then an index of sitemaps, at most ten minutes old.',
    auth: 'public',
    rate: 'searches',
    cached: true,
    query: Closed({
      after: Type.Optional(
        Uuid({
          description: 'The sitemap that begins after this thread, as the index names it.',
          examples: [START],
        }),
      ),
    }),
    media: MEDIA,
    examples: {
      output:
        '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url><loc>https://stoa.example.org/</loc></url>\n</urlset>\n',
    },
  },
  async ({ tx, at, installation: { baseUrl } }, { query: { after } }) => {
    const found = await threads.publicAfter(tx, after ?? START, SIZE + 1);
    const first = after === undefined || after === START ? pages : [];
    if (after !== undefined || found.length <= SIZE)
      return textContent(
        MEDIA,
        urlSet([...first, ...found.slice(0, SIZE).map(toLocated)], baseUrl),
      );
    const ends = await endsOf(tx, at);
    return textContent(
      MEDIA,
      sitemapIndex(
        [START, ...ends].map((id) => ({ path: `${PATH}?after=${id}` })),
        baseUrl,
      ),
    );
  },
);
