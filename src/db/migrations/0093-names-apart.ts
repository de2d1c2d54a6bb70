import { buildIndex, type Step } from './migration.ts';

/**
 * Names that anyone may read, and names that only members of a room may, get an index each. With
 * one index every search compared its words with the names of all private rooms before it left
 * them out, and how long that took told what is in them. Nothing counts private rooms any more.
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
