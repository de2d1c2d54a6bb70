import { availableParallelism } from 'node:os';
import type { ReadQueue } from '../transaction.ts';
import { createSemaphore } from './semaphore.ts';
import type { Semaphore } from './semaphore-types.ts';

/**
 * Reads that take turns: lists, pages of messages, the texts of pages as HTML and of feeds, and
 * reads whose answers may have megabytes.
 */
export type TurnKind = 'lists' | 'pages' | 'html' | 'large';

/** How many lists, or pages, are read at once without a transaction, and how many of one caller. */
const LISTS = 8;
const LISTS_OF_CALLER = 4;
/** The same of pages as HTML: their texts are read in turn, and kept until they are rendered. */
const HTML_OF_CALLER = 2;
/**
 * How many pages are read at once of callers whose pages take long, as those of long messages do.
 * Eight of them made each turn of the event loop take as long as eight pieces of a page.
 */
const LONG_PAGES = 2;
/** The same of long lists: all queues together have more places than the pool has connections. */
const LONG_LISTS = 2;
/** How many large answers are read at once: each keeps a connection and the event loop busy. */
const LARGE = 2;

/** How long the last place of writers is kept for short writes after one. */
const KEPT_MS = 1_000;

/** Where what a process does with its database waits for its turn. */
export interface Turns {
  /** Transactions that write. */
  readonly writers: Semaphore;
  /** Reads with a time limit, in transactions. */
  readonly readers: Readonly<Record<ReadQueue, Semaphore>>;
  /** Reads without one. */
  readonly turns: Readonly<Record<TurnKind, Semaphore>>;
}

/**
 * Creates the queues of one process, in which `writers` transactions may write at once. `now` is
 * that of the semaphores.
 */
export function createTurns(writers = availableParallelism() + 1, now?: () => number): Turns {
  const weighed = now ? { now } : {};
  const lists = { ...weighed, perCaller: LISTS_OF_CALLER };
  const pages = { ...lists, reserved: LISTS - LONG_PAGES };
  const fair = { ...weighed, perCaller: availableParallelism(), reserved: 1 };
  return {
    // More transactions would not write more; they would wait in PostgreSQL for the same rows. With
    // posts that share their subscribers, three at once reach 950 to 1,100/s on two processors,
    // twelve reach 840/s (decision 0003). Reads do not count here, nor does whatever skips the
    // queue. Turns are not weighed: most writes are short, and a long one must not
    // wait for all of them. Writes that wait for a row or walk much leave the last place to others.
    writers: createSemaphore(writers, {
      ...weighed,
      weighed: false,
      reserved: writers > 1 ? 1 : 0,
      reservedMs: KEPT_MS,
    }),
    // Long reads must neither delay posts nor use all connections. The last place is for a caller
    // who has not all the others, and whose reads are short.
    readers: {
      long: createSemaphore(availableParallelism() + 1, fair),
      slow: createSemaphore(1, weighed),
      lists: createSemaphore(availableParallelism() + 1, fair),
      deep: createSemaphore(Math.max(1, Math.floor(availableParallelism() / 2)), weighed),
      figures: createSemaphore(1, weighed),
    },
    // The pool serves whoever comes first. Whoever asks for many lists at once waits here, and
    // leaves connections to others and to posts. Slow lists do not keep pages of messages
    // waiting, nor do pages for people keep those that agents read.
    turns: {
      lists: createSemaphore(LISTS, { ...lists, reserved: LISTS - LONG_LISTS }),
      pages: createSemaphore(LISTS, pages),
      html: createSemaphore(LISTS, { ...pages, perCaller: HTML_OF_CALLER }),
      large: createSemaphore(LARGE, { ...weighed, perCaller: 1, reserved: 1 }),
    },
  };
}
