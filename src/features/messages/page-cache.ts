import { LRUCache } from 'lru-cache';
import { encodeText } from '../../kernel/encode-text.ts';

const MAX_BYTES = 24 * 1024 * 1024;

/**
 * Identifies a page: the positions from..to-1 of a thread at a revision, as they were asked for. A
 * message that changes (a tombstone, a file) increments the revision of its thread.
 */
export interface PageKey {
  readonly threadId: string;
  readonly revision: number;
  readonly from: number;
  readonly to: number;
}

/** The JSON of the messages of a page, and their number: fewer than asked for if they are long. */
interface LoadedMessages {
  readonly json: string | Buffer;
  readonly count: number;
  /** Whether it is the same for all readers until the revision changes. */
  readonly lasts: boolean;
}

/**
 * A page as it was sent. `messages` is the part of `body` that does not depend on `total`, the
 * number of messages in the thread.
 */
interface CachedPage {
  readonly body: Buffer;
  readonly total: number;
  readonly messages: Buffer;
  /** The position after the last message. */
  readonly end: number;
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

const formatTail = ({ from }: PageKey, end: number, total: number): string =>
  `,"offset":${from},"total":${total},"nextOffset":${end < total ? end : null}}`;

function buildPage(pageKey: PageKey, total: number, messages: Buffer, end: number): CachedPage {
  const head = Buffer.from(formatHead(pageKey));
  const body = Buffer.concat([head, messages, Buffer.from(formatTail(pageKey, end, total))]);
  const kept = body.subarray(head.length, head.length + messages.length);
  return { body, total, messages: kept, end };
}

/**
 * Returns the position after the last message that was read. Beyond the end of a thread there are
 * none, and nothing follows.
 */
const findEnd = ({ from, to }: PageKey, { count }: LoadedMessages): number =>
  count > 0 ? from + count : to;

/**
 * Returns the JSON of a page of a thread that has `total` messages. `load` serializes the messages
 * if they are not cached.
 */
export async function getPageBody(
  pageKey: PageKey,
  limit: number,
  total: number,
  load: () => Promise<LoadedMessages>,
): Promise<string | Buffer> {
  const key = toCacheKey(pageKey);
  const cached = cachedPages.get(key);
  if (cached?.total === total) return cached.body;
  // The last page of a thread grows, so only full pages are worth caching.
  const isFull = pageKey.to - pageKey.from === limit;
  if (cached) {
    const page = buildPage(pageKey, total, cached.messages, cached.end);
    cachedPages.set(key, page);
    return page.body;
  }
  const wasRead = isFull && keysReadOnce.has(key);
  if (isFull) keysReadOnce.set(key, true);
  const loaded = await load();
  const end = findEnd(pageKey, loaded);
  const mayKeep = wasRead && loaded.lasts;
  const { json } = loaded;
  if (!mayKeep && typeof json === 'string')
    return formatHead(pageKey) + json + formatTail(pageKey, end, total);
  const page = buildPage(pageKey, total, typeof json === 'string' ? encodeText(json) : json, end);
  if (mayKeep) cachedPages.set(key, page);
  return page.body;
}
