import { wordsOf } from '../../kernel/words.ts';
import { type Filter, type Query, type ResultType, resultTypes, type Standing, type Term } from './rules.ts';

// Entries of the index that no text can bring about: a word has no colon.
const inRoom = (roomId: string): string => `':in ${roomId}'`;
const from = (handle: string): string => `':from ${handle}'`;
const ofType = (type: string): string => `':type ${type}'`;
const PUBLIC = "':public'";
const LONG = "':long'";

/** PostgreSQL keeps so many places of a word in a text, and tells 16,383 apart. */
const PLACES_OF_WORD = 255;
const PLACES = 16_383;

/** The words of a text, each with its place and weight (A counts most, D least), as a tsvector is written. */
function placed(words: readonly string[], weight: 'A' | 'C' | '', before = 0): string {
  const written = words.map((word, index) => `${word}:${before + index + 1}${weight}`).join(' ');
  if (before + words.length <= PLACES_OF_WORD) return written;
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return before + words.length <= PLACES && Math.max(...counts.values()) <= PLACES_OF_WORD ? written : `${written} ${LONG}`;
}

const marks = ({ roomId, authorHandle, public: open }: Standing): string =>
  [from(authorHandle), ...(roomId === null ? [] : [inRoom(roomId)]), ...(open ? [PUBLIC] : [])].join(' ');

/** What the index keeps of a message. */
export const messageWords = (body: string, standing: Standing): string => `${placed(wordsOf(body), '')} ${marks(standing)}`;

/** What the index keeps of what has a name: the name counts for more than what is said about it. */
export function nameWords(type: ResultType, name: string, about: string | null, standing: Standing): string {
  const words = wordsOf(name);
  return `${placed(words, 'A')} ${placed(wordsOf(about ?? ''), 'C', words.length)} ${ofType(type)} ${marks(standing)}`;
}

const all = (parts: readonly string[]): string => parts.join(' & ');
const any = (parts: readonly string[]): string => `(${parts.join(' | ')})`;
const quoted = (words: readonly string[]): string[] => words.map((word) => `'${word}'`);

/** In a long text not every place of a word is known; there a phrase is found by its words alone. */
const ofTerm = ({ words }: Term): string =>
  words.length === 1 ? all(quoted(words)) : any([quoted(words).join(' <-> '), all([...new Set(quoted(words)), LONG])]);

/** Of several filters of a kind one must fit, of the excluded ones none may. */
function ofFilters(filters: readonly Filter[], by: Filter['by'], write: (value: string) => string): string[] {
  const some = filters.filter((filter) => filter.by === by);
  const wanted = some.filter(({ excluded }) => !excluded).map(({ value }) => write(value));
  return [...(wanted.length > 0 ? [any(wanted)] : []), ...some.filter(({ excluded }) => excluded).map(({ value }) => `!${write(value)}`)];
}

/** A reader of more rooms is not narrowed down beforehand: it may read most of what there is. */
export const NARROWED_ROOMS = 200;

/** What the index is asked for, as tsqueries are written; null where nothing of the kind is wanted. */
export interface Asked {
  readonly messages: string | null;
  readonly names: string | null;
  /** Only what raises the rank. */
  readonly rank: string;
}

/** `rooms` are those of which the reader is a member. */
export function asked({ terms, filters }: Query, rooms: readonly string[]): Asked {
  const wanted = terms.filter(({ excluded }) => !excluded);
  const common = [
    ...wanted.map(ofTerm),
    ...terms.filter(({ excluded }) => excluded).map((term) => `!${any([ofTerm(term)])}`),
    ...ofFilters(filters, 'in', inRoom),
    ...ofFilters(filters, 'from', from),
    ...(rooms.length <= NARROWED_ROOMS ? [any([PUBLIC, ...rooms.map(inRoom)])] : []),
  ];
  const types = filters.filter(({ by }) => by === 'type');
  const included = types.filter(({ excluded }) => !excluded).map(({ value }) => value);
  const ofTypes = resultTypes.filter(
    (type) => (included.length === 0 || included.includes(type)) && !types.some(({ value, excluded }) => excluded && value === type),
  );
  const named = ofTypes.filter((type) => type !== 'message');
  return {
    messages: ofTypes.includes('message') ? all(common) : null,
    names: named.length > 0 ? all([any(named.map(ofType)), ...common]) : null,
    rank: all(wanted.map(ofTerm)),
  };
}

/** Messages in a block and in an area of the index, as powers of two. */
export const BLOCK_BITS = 13;
export const AREA_BITS = 17;

/**
 * The messages up to number `last` in steps from the newest to the oldest, each as a tsquery: two blocks, the rest of their area, and
 * one area after the other. Who has found enough stops: no step has more matches to sort than messages.
 */
export function steps(last: number): string[] {
  const block = Math.floor(last / 2 ** BLOCK_BITS);
  const area = Math.floor(last / 2 ** AREA_BITS);
  const first = area * 2 ** (AREA_BITS - BLOCK_BITS);
  const blocks = Array.from({ length: block - first + 1 }, (_, index) => `':at ${block - index}'`);
  const areas = Array.from({ length: area }, (_, index) => `':area ${area - 1 - index}'`);
  return [blocks.slice(0, 2), blocks.slice(2)].flatMap((some) => (some.length > 0 ? [any(some)] : [])).concat(areas);
}
