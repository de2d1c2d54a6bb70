import { LRUCache } from 'lru-cache';

const MAX_BYTES = 24 * 1024 * 1024;

/**
 * Identifies a page: the positions from..to-1 of a thread at a revision. A message that changes (a
 * tombstone, a file) increments the revision of its thread.
 */
export interface PageKey {
  readonly threadId: string;
  readonly revision: number;
  readonly from: number;
  readonly to: number;
}

/**
 * A page as it was sent. `messages` is the part of `body` that does not depend on `total`, the
 * number of messages in the thread.
 */
interface CachedPage {
  readonly body: Buffer;
  readonly total: number;
  readonly messages: Buffer;
}

/**
 * Full pages of messages, as bytes outside the heap. They never become stale, because the revision
 * is part of the key. They contain nothing about the reader: every read checks access first.
 */
const cachedPages = new LRUCache<string, CachedPage>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ body }) => body.length,
});

/**
 * Keys of pages that were read once. A page is cached at its second read, so that a reader that
 * walks through everything does not fill the cache.
 */
const keysReadOnce = new LRUCache<string, true>({ max: 5_000 });

const toCacheKey = ({ threadId, revision, from, to }: PageKey): string =>
  `${threadId}/${revision}/${from}-${to}`;

const formatHead = ({ threadId }: PageKey): string => `{"threadId":"${threadId}","messages":`;

const formatTail = ({ from, to }: PageKey, total: number): string =>
  `,"offset":${from},"total":${total},"nextOffset":${to < total ? to : null}}`;

function buildPage(pageKey: PageKey, total: number, messages: Buffer): CachedPage {
  const head = Buffer.from(formatHead(pageKey));
  const body = Buffer.concat([head, messages, Buffer.from(formatTail(pageKey, total))]);
  return { body, total, messages: body.subarray(head.length, head.length + messages.length) };
}

/**
 * Returns the JSON of a page of a thread that has `total` messages. `load` serializes the messages
 * if they are not cached.
 */
export async function getPageBody(
  pageKey: PageKey,
  limit: number,
  total: number,
  load: () => Promise<string>,
): Promise<string | Buffer> {
  const key = toCacheKey(pageKey);
  const cached = cachedPages.get(key);
  if (cached?.total === total) return cached.body;
  // The last page of a thread grows, so only full pages are worth caching.
  const isFull = pageKey.to - pageKey.from === limit;
  if (!cached && !(isFull && keysReadOnce.has(key))) {
    if (isFull) keysReadOnce.set(key, true);
    return formatHead(pageKey) + (await load()) + formatTail(pageKey, total);
  }
  const page = buildPage(pageKey, total, cached?.messages ?? Buffer.from(await load()));
  cachedPages.set(key, page);
  return page.body;
}
