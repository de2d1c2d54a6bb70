import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeWords, splitWords } from './search-words.rules.ts';

const latinLetters = "aBz09 _-.'’é\u0301ßÆİıΣςﬁ½";
const otherLetters = '東京ター한ᄒ\u1161สวัहिन्दीשָׁ﷽ﷺ𝔘🎉';
const plainLetters = "aBz09 _-.'’“—\u00a0\u200d\n@#";

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({
    unit: fc.constantFrom(...latinLetters, ...otherLetters),
    maxLength: 120,
  }),
);

describe('words', () => {
  it('[search.folded] are in a form that stays as it is, whatever the text', () => {
    fc.assert(
      fc.property(text, (some) => {
        for (const word of splitWords(some)) expect(splitWords(word)).toEqual([word]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[search.highlights] stand where they are said to stand', () => {
    fc.assert(
      fc.property(text, (some) => {
        const placed = [...placeWords(some)];
        expect(placed.map(({ word }) => word)).toEqual(splitWords(some));
        for (const { word, start, end } of placed)
          expect(splitWords(some.slice(start, end))).toContain(word);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[search.folded] of a plain text are the same with something beside it that is not', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...plainLetters), maxLength: 200 }), (some) => {
        expect(splitWords(`${some} é`)).toEqual([...splitWords(some), 'e']);
        expect([...placeWords(`${some} é`)].slice(0, -1)).toEqual([...placeWords(some)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[search.folded] of letters that are words are those letters, as with a mark beside', () => {
    for (let code = 0x3041; code < 0xd7a4; code++) {
      const letter = String.fromCharCode(code);
      if (/^[ぁ-ゖァ-ヺ一-鿿가-힣]$/.test(letter))
        expect(splitWords(`${letter}\u0301`)).toEqual([letter]);
    }
  });

  it('[search.folded] are the same whatever the case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (some) => {
        expect(splitWords(some.toLowerCase())).toEqual(splitWords(some));
      }),
    );
  });

  // Far beyond a body's 64 KiB: work that grows with the square of these would take minutes.
  const MANY = 200_000;

  it('[attack.2-4] are at most 40,000 and some, whatever the letters stand for', () => {
    const text = 'ﷺ '.repeat(MANY);
    expect(splitWords(text).length).toBeLessThan(41_000);
    expect(splitWords('a '.repeat(32_768))).toHaveLength(32_768);
    expect(splitWords('é '.repeat(32_768))).toHaveLength(32_768);
  });

  it.each([
    ['marks', `a${'\u0315\u0300'.repeat(MANY)}`, ['a']],
    ['marks that only a compatibility form has', `ｶ${'\u0300\uff9e'.repeat(MANY)}`, ['ガ']],
    ['letters', 'a'.repeat(MANY), ['a'.repeat(255)]],
    ['fractions', `${'½'.repeat(300)}x`, ['1', ...Array(299).fill('21'), '2x']],
    [
      'letters that stand for four words',
      'ﷺ'.repeat(MANY),
      splitWords('ﷺ'.repeat(1024)).map((word) => word.replace(/\p{M}+/gu, '')),
    ],
  ])('[ops.no-freeze] of a text of many %s', (_, text, words) => {
    expect(splitWords(text).map((word) => word.replace(/\p{M}+/gu, ''))).toEqual(words);
    expect([...placeWords(text)]).toHaveLength(words.length);
  });
});
