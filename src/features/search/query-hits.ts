import type { Term } from './rules.ts';
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
  const termsByFirstWord = new Map<
    number | undefined,
    { term: Term; sought: (number | undefined)[] }[]
  >();
  for (const term of [...terms].sort((a, b) => b.words.length - a.words.length)) {
    const sought = term.words.slice(0, MAX_MARKED_WORDS).map((word) => numbers.get(word));
    termsByFirstWord.set(sought[0], [...(termsByFirstWord.get(sought[0]) ?? []), { term, sought }]);
  }
  const words = splitPlacedWords(text);
  const wordNumbers = words.map(({ word }) => numbers.get(word));
  const hits: Hit[] = [];
  for (let at = 0; at < words.length; ) {
    const match = termsByFirstWord
      .get(wordNumbers[at])
      ?.find(({ sought }) => sought.every((number, index) => wordNumbers[at + index] === number));
    const term = match?.term;
    const found = words.slice(at, at + (match?.sought.length ?? 0));
    for (const { start, end } of found)
      if (term && end - start <= MAX_MARK_LENGTH && start >= (hits.at(-1)?.end ?? 0))
        hits.push({ start, end, term });
    at += Math.max(1, found.length);
  }
  return hits;
}
