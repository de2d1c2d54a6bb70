import type { Term } from './search-query.rules.ts';
import { splitPlacedWords } from './search-words.rules.ts';

/** A word of a match in a text; places are in UTF-16 units. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly term: Term;
}

/**
 * How many words of a phrase are compared and marked. A phrase of hundreds of words would otherwise
 * be compared at every place of a text that repeats its first word.
 */
const MAX_MARKED_WORDS = 8;

/** Longer words are not marked: nobody reads them. */
const MAX_MARK_LENGTH = 512;

/** A term, with its words as numbers. Of an open term, the last one is a beginning. */
interface Sought {
  readonly term: Term;
  readonly numbers: readonly (number | undefined)[];
  readonly beginning: string | null;
}

/**
 * Returns each word of each match. Of several terms that begin with the same word, the longest one
 * matches.
 */
export function findHits(text: string, terms: readonly Term[]): Hit[] {
  // Words are compared as numbers: a phrase is compared wherever its first word occurs, and a
  // hostile text may consist of that word alone.
  const numbers = new Map(
    terms.flatMap((term) => term.words).map((word, number) => [word, number]),
  );
  const soughtByFirstWord = new Map<number | undefined, Sought[]>();
  const beginnings: Sought[] = [];
  for (const term of [...terms].sort((a, b) => b.words.length - a.words.length)) {
    const isWhole = !term.open || term.words.length > MAX_MARKED_WORDS;
    const sought = {
      term,
      numbers: term.words.slice(0, MAX_MARKED_WORDS).map((word) => numbers.get(word)),
      beginning: isWhole ? null : (term.words.at(-1) ?? null),
    };
    const isBeginning = sought.beginning !== null && sought.numbers.length === 1;
    const [first] = sought.numbers;
    if (isBeginning) beginnings.push(sought);
    else soughtByFirstWord.set(first, [...(soughtByFirstWord.get(first) ?? []), sought]);
  }
  const words = splitPlacedWords(text);
  const wordNumbers = words.map(({ word }) => numbers.get(word));
  const begins = (at: number, beginning: string): boolean =>
    words[at]?.word.startsWith(beginning) === true;
  const matches = (at: number, { numbers: sought, beginning }: Sought): boolean =>
    sought.every((number, index) =>
      beginning !== null && index === sought.length - 1
        ? begins(at + index, beginning)
        : wordNumbers[at + index] === number,
    );
  const hits: Hit[] = [];
  for (let at = 0; at < words.length; ) {
    const match =
      soughtByFirstWord.get(wordNumbers[at])?.find((sought) => matches(at, sought)) ??
      beginnings.find((sought) => matches(at, sought));
    const term = match?.term;
    const found = words.slice(at, at + (match?.numbers.length ?? 0));
    for (const { start, end } of found)
      if (term && end - start <= MAX_MARK_LENGTH && start >= (hits.at(-1)?.end ?? 0))
        hits.push({ start, end, term });
    at += Math.max(1, found.length);
  }
  return hits;
}
