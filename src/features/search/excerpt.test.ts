import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createExcerpter } from './excerpt.ts';
import { parseQuery, type Term } from './search-query.rules.ts';
import { splitWords } from './search-words.rules.ts';

/**
 * Texts of few letters, so that words recur. Marks, surrogate pairs and letters of unspaced scripts
 * are among them.
 */
const arbitraryText = fc.string({
  unit: fc.constantFrom(
    ...'abc ',
    'é',
    'e\u0301',
    'ß',
    '記',
    '憶',
    '👩‍🚀',
    '-',
    '"',
    ':',
    '\n',
    '\u202e',
    '…',
  ),
  maxLength: 900,
});
const arbitraryQuery = fc.string({
  unit: fc.constantFrom(...'abc ', 'e', 'ss', '記', '"', '-', 'bc* '),
  minLength: 1,
  maxLength: 40,
});

it('[search.highlights] [search.excerpt] marks searched words in a part of the text', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryText, arbitraryQuery, async (body, q) => {
      const terms = parseQuery(q).terms.filter(({ excluded }) => !excluded);
      const { excerpt, highlights } = await createExcerpter(terms)(body);
      const letters = Array.from(excerpt);
      expect(excerpt.isWellFormed()).toBe(true);
      expect(body).toContain(excerpt.replace(/^…/, '').replace(/…$/, ''));
      const wanted = new Set(terms.flatMap(({ words }) => words));
      const begins = (word: string) =>
        terms.some(({ open, words }) => open && word.startsWith(words.at(-1) ?? ' '));
      let end = 0;
      for (const [start = 0, length = 0] of highlights) {
        expect(start).toBeGreaterThanOrEqual(end);
        expect(length).toBeGreaterThan(0);
        end = start + length;
        expect(end).toBeLessThanOrEqual(letters.length);
        for (const word of splitWords(letters.slice(start, end).join('')))
          expect(wanted.has(word) || begins(word)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

it('[search.any-query] parses any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (q) => {
      let terms: readonly Term[] = [];
      try {
        ({ terms } = parseQuery(q));
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
      }
      for (const { words } of terms) expect(words.length).toBeGreaterThan(0);
    }),
  );
});

it('[attack.66-1] (API4) letters that are words are scanned in turns, and not all', async () => {
  const { terms } = parseQuery('ข');
  let turns = 0;
  const take = createExcerpter(terms, async () => void turns++);
  const long = 'ก'.repeat(21_800);
  for (let nr = 0; nr < 5; nr++) expect((await take(`${long}ข`)).highlights).toEqual([]);
  // Of 20,000 words, and 100 of each further text.
  expect(turns).toBe(11);
  expect((await take(`กขก${long}`)).highlights).toEqual([[1, 1]]);
});

it('[attack.66-1] (API4) few long words are scanned in turns too', async () => {
  let turns = 0;
  const take = createExcerpter(parseQuery('a').terms, async () => void turns++);
  await take('ﬃ'.repeat(1_000).concat(' ').repeat(60));
  expect(turns).toBe(3);
});

it('[attack.66-1] (API4) nothing is split where no word is sought', async () => {
  const take = createExcerpter([], () => Promise.reject(new Error('It waited.')));
  const { excerpt, highlights } = await take('ก'.repeat(21_800));
  expect(excerpt.length).toBeGreaterThan(200);
  expect(highlights).toEqual([]);
});
