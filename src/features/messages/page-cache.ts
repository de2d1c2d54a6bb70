import { LRUCache } from 'lru-cache';

const MAX_BYTES = 24 * 1024 * 1024;

/**
 * Full pages of messages, serialized. They cannot change: a message that does (a tombstone, a file) moves its thread's
 * revision, which is part of the key. Nothing about the reader is in here: access is decided before, for every read.
 */
const pages = new LRUCache<string, string>({ maxSize: MAX_BYTES, sizeCalculation: (text) => text.length * 2 });

const keyOf = (thread: { readonly id: string; readonly revision: number }, from: number, to: number) => `${thread.id}/${thread.revision}/${from}-${to}`;

export const cachedPage = (thread: { readonly id: string; readonly revision: number }, from: number, to: number): string | undefined =>
  pages.get(keyOf(thread, from, to));

export const keepPage = (thread: { readonly id: string; readonly revision: number }, from: number, to: number, text: string): void => {
  pages.set(keyOf(thread, from, to), text);
};
