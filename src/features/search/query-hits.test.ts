import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findHits } from './query-hits.ts';
import type { Term } from './search-query.rules.ts';
import { placeWords } from './search-words.rules.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
const term: fc.Arbitrary<Term> = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
  open: fc.boolean(),
  excluded: fc.constant(false),
});

/** Compares every word of the text with every term, as nothing but a test may. */
function findLengths(words: readonly string[], terms: readonly Term[]): boolean[] {
  const marked = words.map(() => false);
  for (let at = 0; at < words.length; ) {
    const lengths = terms.flatMap(({ words: sought, open }) =>
      sought.every((one, index) =>
        open && index === sought.length - 1
          ? words[at + index]?.startsWith(one)
          : words[at + index] === one,
      )
        ? [sought.length]
        : [],
    );
    const length = Math.max(0, ...lengths);
    marked.fill(true, at, at + length);
    at += Math.max(1, length);
  }
  return marked;
}

it('[attack.11-1] (API4) marks what a comparison of every word with every term marks', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }),
      fc.array(term, { maxLength: 6 }),
      (all, terms) => {
        const hits = findHits([...placeWords(all.join(' '))], terms);
        let start = 0;
        const marked = all.map((one) => {
          const isMarked = hits.some(
            (hit) => hit.start === start && hit.end === start + one.length,
          );
          start += one.length + 1;
          return isMarked;
        });
        expect(marked).toEqual(findLengths(all, terms));
      },
    ),
    { numRuns: 2_000 },
  );
});
