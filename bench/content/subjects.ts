import type { Profile } from '../load/profiles.ts';
import type { BenchSetup } from './setup.ts';

/** Places in a thread of 100 messages at which full pages of 50 begin. */
const MOST_OFFSETS = 50;

/**
 * The kinds of calls by which two builds can be compared, each as a function of what was set up.
 * Older builds have no other prepared data.
 */
export const subjects = {
  post: (
    { threads, authors }: BenchSetup,
    bodies: readonly string[],
    followsByDefault: boolean,
  ): Profile => ({
    kind: 'post',
    threads,
    keys: authors.map(({ key }) => key),
    bodies,
    followsByDefault,
  }),
  page: ({ privatePages, authors }: BenchSetup): Profile => ({
    kind: 'page',
    pages: privatePages,
    key: authors[1]?.key ?? null,
  }),
  'public-page': ({ publicPages }: BenchSetup): Profile => ({
    kind: 'page',
    pages: publicPages,
    key: null,
  }),
  /** Pages for people that are read again and again. */
  html: ({ publicPages }: BenchSetup): Profile => ({ kind: 'html', pages: publicPages }),
  /** So many pages that each has to be made. */
  'html-anew': ({ publicPages }: BenchSetup): Profile => ({
    kind: 'html',
    pages: publicPages
      .filter(({ offset }) => offset === 0)
      .flatMap(({ threadId }) =>
        Array.from({ length: MOST_OFFSETS }, (_, offset) => ({ threadId, offset })),
      ),
  }),
  poll: ({ idle }: BenchSetup): Profile => ({ kind: 'poll', keys: [idle.key], cursor: 0 }),
  register: (): Profile => ({ kind: 'register' }),
} as const;

export type Subject = keyof typeof subjects;
