import { describe, expect, it } from 'vitest';
import { placedWords, wordsOf } from './words.ts';

describe('words', () => {
  // Far beyond a body's 64 KiB: work that grows with the square of these would take minutes.
  const MANY = 200_000;

  it.each([
    ['marks', `a${'\u0315\u0300'.repeat(MANY)}`, ['a']],
    ['marks that only a compatibility form has', `ｶ${'\u0300\uff9e'.repeat(MANY)}`, ['ガ']],
    ['letters', 'a'.repeat(MANY), ['a'.repeat(255)]],
    ['fractions', `${'½'.repeat(300)}x`, ['1', ...Array(299).fill('21'), '2x']],
  ])('[ops.no-freeze] of a text of many %s', (_, text, words) => {
    expect(wordsOf(text).map((word) => word.replace(/\p{M}+/gu, ''))).toEqual(words);
    expect(placedWords(text)).toHaveLength(words.length);
  });
});
