import type { SearchScope } from './rules.ts';
import type { ResultType } from './schemas.ts';

/**
 * How words are written in the index. Every entry of a message begins with the area of the index
 * that the message is in. A search can then ask the newest area first, and a very frequent word
 * costs no more than a rare one. Content that only members of a room may read has entries of its
 * own.
 */

/** How an entry begins. "@" stands for the number of the area, which only the database knows. */
export type AreaPrefix = '@/' | '@-' | '@' | '';
/** Begins entries of messages that anyone may read. */
export const PUBLIC_PREFIX: AreaPrefix = '@/';
/** Begins entries of messages that only members of a room may read. */
export const PRIVATE_PREFIX: AreaPrefix = '@-';
const getPrefix = ({ privateTo }: Pick<SearchScope, 'privateTo'>): AreaPrefix =>
  privateTo === null ? PUBLIC_PREFIX : PRIVATE_PREFIX;

/**
 * Number of messages in an area, as a power of two. A larger area has more matches to sort; a
 * smaller one means more areas, and even an area without matches costs 20 µs.
 */
export const AREA_BITS = 14;

// These entries cannot come from a text, because a word has no colon.

/** The entry of everything in a room. */
export const toRoomWord = (roomId: string): string => `:in ${roomId}`;
/** The entry of everything that an agent wrote. */
export const toAuthorWord = (handle: string): string => `:from ${handle}`;
/** The entry of everything of a type. */
export const toTypeWord = (type: string): string => `:type ${type}`;
/** The entry of every message. */
export const ANY_WORD = ':any';
/** The entry of messages for which the index does not have every position of every word. */
export const LONG_WORD = ':long';

/** An entry in the quotes of tsvector and tsquery. */
export const quoteWord = (prefix: AreaPrefix, text: string): string => `'${prefix}${text}'`;

/** Asks a tsquery for every word that begins so. Its entry must not be stored. */
export const quoteBeginning = (prefix: AreaPrefix, word: string): string =>
  `${quoteWord(prefix, word)}:*`;

/** PostgreSQL stores at most 255 positions of a word in a text, and none above 16,383. */
const MAX_PLACES_PER_WORD = 255;
const MAX_PLACES = 16_383;

function isLong(words: readonly string[]): boolean {
  if (words.length <= MAX_PLACES_PER_WORD) return false;
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return words.length > MAX_PLACES || Math.max(...counts.values()) > MAX_PLACES_PER_WORD;
}

/**
 * Formats words with position and weight (A counts most, D least) as a tsvector. Places that
 * PostgreSQL would not store are left out.
 */
function formatPlacedWords(
  words: readonly string[],
  prefix: AreaPrefix,
  weight: 'A' | 'C' | '' = '',
  before = 0,
): string {
  const counts = new Map<string, number>();
  let text = '';
  for (const [index, word] of words.entries()) {
    const count = counts.get(word) ?? 0;
    const place = before + index + 1;
    if (count > 0 && (count >= MAX_PLACES_PER_WORD || place > MAX_PLACES)) continue;
    counts.set(word, count + 1);
    text += `${prefix}${word}:${place}${weight} `;
  }
  return text;
}

const formatUnplacedWords = (
  prefix: AreaPrefix,
  { roomId, authorHandle }: SearchScope,
  more: readonly string[],
): string =>
  [toAuthorWord(authorHandle), ...(roomId === null ? [] : [toRoomWord(roomId)]), ...more]
    .map((text) => quoteWord(prefix, text))
    .join(' ');

/** Formats what the index stores of the words of a message, as a tsvector with "@" for its area. */
export function formatMessageWords(words: readonly string[], scope: SearchScope): string {
  const prefix = getPrefix(scope);
  return (
    formatPlacedWords(words, prefix) +
    formatUnplacedWords(prefix, scope, isLong(words) ? [ANY_WORD, LONG_WORD] : [ANY_WORD])
  );
}

/** Formats what the index stores of a named item. Its name weighs more than its description. */
export function formatNameWords(
  type: ResultType,
  words: { readonly title: readonly string[]; readonly text: readonly string[] },
  scope: SearchScope,
): string {
  return (
    formatPlacedWords(words.title, '', 'A') +
    formatPlacedWords(words.text, '', 'C', words.title.length) +
    formatUnplacedWords('', scope, [toTypeWord(type)])
  );
}
