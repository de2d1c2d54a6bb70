import { LRUCache } from 'lru-cache';
import type { Content } from '../content.ts';
import { sha256 } from '../crypto/credentials.ts';
import type { Installation } from '../installation.ts';
import { memoize } from '../memoize.ts';

/** Bytes of pages that one process keeps. They are buffers outside the heap. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** No page takes more than a sixteenth of the place. */
const LARGEST_BYTES = KEPT_BYTES / 16;

const createCache = () => ({
  pages: new LRUCache<string, Content>({
    maxSize: KEPT_BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ size = LARGEST_BYTES }) => size,
  }),
  /**
   * Versions that were made once. A page is kept when it is made the second time, so that a reader
   * that walks through everything does not fill the cache.
   */
  madeOnce: new LRUCache<string, true>({ max: 5_000 }),
});

/** Pages show the name and the colours of their installation, so each has a cache of its own. */
const getCache = memoize((_: Pick<Installation, 'face'>) => createCache());

/** A page that was made, and whether it is the same until its version changes. */
export interface MadePage {
  readonly content: Content;
  readonly lasts: boolean;
}

const getKey = (version: string): string => sha256(version).toString('base64url');

/** Whether a page with this version is kept. */
export const isKept = (installation: Pick<Installation, 'face'>, version: string): boolean =>
  getCache(installation).pages.has(getKey(version));

/** Ends the making of a page that somebody else has made meanwhile. */
class MadeByOthers extends Error {
  readonly content: Content;

  constructor(content: Content) {
    super('This page was made by others.');
    this.content = content;
  }
}

/**
 * Asserts, when the making of a page has waited, that it still has to be made. Errors: one that
 * `keepPage` catches.
 */
export function assertStillMissing(
  installation: Pick<Installation, 'face'>,
  version: string,
): void {
  const kept = getCache(installation).pages.get(getKey(version));
  if (kept) throw new MadeByOthers(kept);
}

/**
 * Returns the page with this version: the one that is kept, or else the one that `make` makes. Only
 * pages that anyone may see are kept. Whoever asks has decided that this caller may see it.
 */
export async function keepPage(
  installation: Pick<Installation, 'face'>,
  version: string,
  make: () => Promise<MadePage> | MadePage,
): Promise<MadePage> {
  const { pages, madeOnce } = getCache(installation);
  // A version has all that the page shows, and 5,000 of them would take more than the pages.
  const key = getKey(version);
  const kept = pages.get(key);
  if (kept) return { content: kept, lasts: true };
  let made: MadePage;
  try {
    made = await make();
  } catch (error) {
    if (!(error instanceof MadeByOthers)) throw error;
    return { content: error.content, lasts: true };
  }
  const { content, lasts } = made;
  if (lasts && !content.private && madeOnce.has(key)) pages.set(key, content);
  madeOnce.set(key, true);
  return made;
}
