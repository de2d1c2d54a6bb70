import { buildIndex, type Step } from './migration.ts';

/**
 * The words of names that anyone may read, and of names that only members of a room may, each in an
 * index of its own. In one index every search compared its words with the names of all private
 * rooms before it left them out, and how long that took told what is in them.
 */
export const namesApart: readonly Step[] = [
  ...buildIndex(
    'name_words_public',
    'name_words USING gin (words) WITH (fastupdate = off) WHERE private_to IS NULL',
  ),
  ...buildIndex(
    'name_words_private',
    'name_words USING gin (words) WITH (fastupdate = off) WHERE private_to IS NOT NULL',
  ),
  'DROP INDEX IF EXISTS name_words_words; DROP INDEX IF EXISTS rooms_private',
];
