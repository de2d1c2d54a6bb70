import { wordsOf } from '../../kernel/words.ts';
import type { Filter, Query, Standing, Term } from './rules.ts';
import type { ResultType } from './schemas.ts';

/*
 * How words stand in the index, and how it is asked for them. Every entry of a message begins with the area of the index that it is in: so the newest messages
 * are asked first, and a very frequent word costs no more than a rare one. What only members of a room may read has entries of its own.
 * "@" stands for the number of the area, which only the database knows.
 */
type Mark = '@/' | '@-' | '@' | '';
const OPEN: Mark = '@/';
const CLOSED: Mark = '@-';
const markOf = (standing: Pick<Standing, 'privateTo'>): Mark =>
  standing.privateTo === null ? OPEN : CLOSED;

/** Messages of an area, as a power of two. All matches of an area are sorted, and an area without any still costs 20 µs. */
export const AREA_BITS = 14;

// No text can bring these about: a word has no colon.
const inRoom = (roomId: string): string => `:in ${roomId}`;
const from = (handle: string): string => `:from ${handle}`;
const ofType = (type: string): string => `:type ${type}`;
const ANY = ':any';
const LONG = ':long';

const entry = (mark: Mark, text: string): string => `'${mark}${text}'`;

/** PostgreSQL keeps so many places of a word in a text, and tells 16,383 apart. */
const PLACES_OF_WORD = 255;
const PLACES = 16_383;

function isLong(words: readonly string[]): boolean {
  if (words.length <= PLACES_OF_WORD) return false;
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return words.length > PLACES || Math.max(...counts.values()) > PLACES_OF_WORD;
}

/** Words with place and weight (A counts most, D least), as tsvectors are written. */
function placed(
  words: readonly string[],
  mark: Mark,
  weight: 'A' | 'C' | '' = '',
  before = 0,
): string {
  let text = '';
  for (const [index, word] of words.entries())
    text += `${mark}${word}:${before + index + 1}${weight} `;
  return text;
}

const unplaced = (
  mark: Mark,
  { roomId, authorHandle }: Standing,
  more: readonly string[],
): string =>
  [from(authorHandle), ...(roomId === null ? [] : [inRoom(roomId)]), ...more]
    .map((text) => entry(mark, text))
    .join(' ');

/** What the index keeps of a message. */
export function messageWords(body: string, standing: Standing): string {
  const [words, mark] = [wordsOf(body), markOf(standing)];
  return placed(words, mark) + unplaced(mark, standing, isLong(words) ? [ANY, LONG] : [ANY]);
}

/** What the index keeps of what has a name: the name counts for more than what is said about it. */
export function nameWords(
  type: ResultType,
  name: string,
  about: string | null,
  standing: Standing,
): string {
  const words = wordsOf(name);
  return (
    placed(words, '', 'A') +
    placed(wordsOf(about ?? ''), '', 'C', words.length) +
    unplaced('', standing, [ofType(type)])
  );
}

const all = (parts: readonly string[]): string => parts.join(' & ');
const any = (parts: readonly string[]): string => `(${parts.join(' | ')})`;

/** In a long text not every place of a word is known; there a phrase is found by its words alone. */
function ofTerm({ words }: Term, mark: Mark): string {
  const entries = words.map((word) => entry(mark, word));
  return entries.length === 1
    ? all(entries)
    : any([entries.join(' <-> '), all([...new Set(entries), entry(mark, LONG)])]);
}

/** Of several filters of a kind one must fit, of the excluded ones none may. */
function ofFilters(
  filters: readonly Filter[],
  by: Filter['by'],
  write: (value: string) => string,
): { wanted: string[]; unwanted: string[] } {
  const texts = (excluded: boolean) =>
    filters
      .filter((filter) => filter.by === by && filter.excluded === excluded)
      .map(({ value }) => write(value));
  return { wanted: texts(false).length > 0 ? [any(texts(false))] : [], unwanted: texts(true) };
}

/** A query as conditions that must all hold; `anything` is what stands for everything where nothing is wanted in particular. */
function conditions({ terms, filters }: Query, mark: Mark, anything: string): string[] {
  const rooms = ofFilters(filters, 'in', (id) => entry(mark, inRoom(id)));
  const authors = ofFilters(filters, 'from', (handle) => entry(mark, from(handle)));
  const ofTerms = (excluded: boolean) =>
    terms.filter((term) => term.excluded === excluded).map((term) => ofTerm(term, mark));
  const wanted = [...ofTerms(false), ...rooms.wanted, ...authors.wanted];
  return [
    ...(wanted.length > 0 ? wanted : [anything]),
    ...[...ofTerms(true), ...rooms.unwanted, ...authors.unwanted].map((text) => `!${any([text])}`),
  ];
}

/** For whom is searched. */
export interface Reader {
  /** Null: only what anyone may read. */
  readonly id: string | null;
  readonly rooms: readonly string[];
  /** Private rooms that there are; counted no further than to MANY_ROOMS. */
  readonly privateRooms: number;
}

export const MANY_ROOMS = 2_000;

/**
 * Whether the index is asked for the reader's rooms alone: that costs as much as there is in them, while leaving out other rooms' messages afterwards
 * costs as much as there is of those.
 */
const isNarrow = ({ rooms, privateRooms }: Reader): boolean => rooms.length * 10 <= privateRooms;

/** What the index is asked for, as tsqueries are written; null where nothing of the kind is wanted. */
export interface Asked {
  readonly messages: string | null;
  readonly names: string | null;
  /** What raises the rank. */
  readonly rank: string;
}

const rankOf = (query: Query, mark: Mark): string =>
  all(query.terms.filter(({ excluded }) => !excluded).map((term) => ofTerm(term, mark)));

function ofMessages(query: Query, reader: Reader): string {
  const open = all(conditions(query, OPEN, entry(OPEN, ANY)));
  if (reader.rooms.length === 0) return open;
  const narrow = isNarrow(reader) ? [any(reader.rooms.map((id) => entry(CLOSED, inRoom(id))))] : [];
  return any([open, all([...conditions(query, CLOSED, entry(CLOSED, ANY)), ...narrow])]);
}

function typesOf({ filters }: Query, offered: readonly ResultType[]): ResultType[] {
  const named = (excluded: boolean) =>
    filters
      .filter((filter) => filter.by === 'type' && filter.excluded === excluded)
      .map(({ value }) => value);
  return offered.filter(
    (type) =>
      (named(false).length === 0 || named(false).includes(type)) && !named(true).includes(type),
  );
}

/** `offered`: what this installation has. */
export function asked(query: Query, reader: Reader, offered: readonly ResultType[]): Asked {
  const types = typesOf(query, offered);
  const ofNames = any(
    types.filter((type) => type !== 'message').map((type) => entry('', ofType(type))),
  );
  return {
    messages: types.includes('message') ? ofMessages(query, reader) : null,
    names: ofNames === '()' ? null : all([ofNames, ...conditions(query, '', ofNames)]),
    rank: rankOf(query, '@'),
  };
}
