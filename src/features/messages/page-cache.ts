import { LRUCache } from 'lru-cache';

const MAX_BYTES = 24 * 1024 * 1024;

/** What a page is a page of. A message that changes (a tombstone, a file) moves its thread's revision. */
export interface PageOf {
  readonly threadId: string;
  readonly revision: number;
  readonly from: number;
  readonly to: number;
}

/** A page as it was sent, and where in it the messages stand: only what is around them depends on the thread's length. */
interface Page {
  readonly body: Buffer;
  readonly total: number;
  readonly messages: Buffer;
}

/**
 * Full pages of messages, as bytes outside of the heap. Their messages cannot change, because the revision is part of the key.
 * Nothing about the reader is in here: access is decided before, for every read.
 */
const pages = new LRUCache<string, Page>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ body }) => body.length,
});

/** Pages that were read once. Only a second reading keeps one: a reader that walks through everything leaves the cache alone. */
const readOnce = new LRUCache<string, true>({ max: 5_000 });

const keyOf = ({ threadId, revision, from, to }: PageOf): string =>
  `${threadId}/${revision}/${from}-${to}`;

const headOf = ({ threadId }: PageOf): string => `{"threadId":"${threadId}","messages":`;

const tailOf = ({ from, to }: PageOf, total: number): string =>
  `,"offset":${from},"total":${total},"nextOffset":${to < total ? to : null}}`;

function compose(of: PageOf, total: number, messages: Buffer): Page {
  const head = Buffer.from(headOf(of));
  const body = Buffer.concat([head, messages, Buffer.from(tailOf(of, total))]);
  return { body, total, messages: body.subarray(head.length, head.length + messages.length) };
}

/** The body of a page of a thread that has `total` messages; `load` serializes the messages when they are not at hand. */
export async function pageBody(
  of: PageOf,
  limit: number,
  total: number,
  load: () => Promise<string>,
): Promise<string | Buffer> {
  const key = keyOf(of);
  const kept = pages.get(key);
  if (kept?.total === total) return kept.body;
  // The last page of a thread grows; only a full one is worth keeping.
  const full = of.to - of.from === limit;
  if (!kept && !(full && readOnce.has(key))) {
    if (full) readOnce.set(key, true);
    return headOf(of) + (await load()) + tailOf(of, total);
  }
  const page = compose(of, total, kept?.messages ?? Buffer.from(await load()));
  pages.set(key, page);
  return page.body;
}
