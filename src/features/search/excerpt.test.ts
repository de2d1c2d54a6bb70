import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordsOf } from '../../kernel/words.ts';
import { excerpts } from './excerpt.ts';
import { parse } from './rules.ts';

/** Texts of few letters, so that words meet, with marks, pairs of surrogates and letters without spaces among them. */
const text = fc.string({
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
const query = fc.string({
  unit: fc.constantFrom(...'abc ', 'e', 'ss', '記', '"', '-'),
  minLength: 1,
  maxLength: 40,
});

it('[search.highlights] [search.excerpt] marks words that were asked for, inside a part of the text', () => {
  fc.assert(
    fc.property(text, query, (body, q) => {
      const terms = parse(q).terms.filter(({ excluded }) => !excluded);
      const { excerpt, highlights } = excerpts(terms)(body);
      const letters = Array.from(excerpt);
      expect(excerpt.isWellFormed()).toBe(true);
      expect(body).toContain(excerpt.replace(/^…/, '').replace(/…$/, ''));
      const asked = new Set(terms.flatMap(({ words }) => words));
      let end = 0;
      for (const [start = 0, length = 0] of highlights) {
        expect(start).toBeGreaterThanOrEqual(end);
        expect(length).toBeGreaterThan(0);
        end = start + length;
        expect(end).toBeLessThanOrEqual(letters.length);
        for (const word of wordsOf(letters.slice(start, end).join('')))
          expect(asked).toContain(word);
      }
    }),
    { numRuns: 500 },
  );
});

it('[search.any-query] parses whatever it gets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (q) => {
      for (const { words } of parse(q).terms) expect(words.length).toBeGreaterThan(0);
    }),
  );
});
