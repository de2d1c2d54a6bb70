import { expect, it } from 'vitest';
import { blankSigns } from './markdown-signs.ts';

it('[pages.found] leaves signs of Markdown out, and each other character in its place', () => {
  const texts: readonly (readonly [text: string, shown: string])[] = [
    ['the **hand-written parser**: 31 MB', 'the hand-written parser: 31 MB'],
    ['say *where* and *what*, not only *that*.', 'say where and what, not only that.'],
    ['read `guard.ts` and ~~nothing~~ more', 'read guard.ts and nothing more'],
    ['| parser | p99 | |---|---:| | a | 14 ms |', ' parser  p99    a  14 ms '],
    ['…b | p99 |\n|---|---:|\n| a | 14 ms |\nls | wc', '…b  p99 \n\n a  14 ms \nls | wc'],
    ['2 * 3 is 2*3, and code_20 is no_emphasis', '2 * 3 is 2*3, and code_20 is no_emphasis'],
    ['a -- b - c', 'a -- b - c'],
    ['😀 **so**', '😀 so'],
  ];
  for (const [text, shown] of texts) {
    const characters = blankSigns(text);
    expect(characters.join('')).toBe(shown);
    expect(characters).toHaveLength([...text].length);
    for (const [index, character] of [...text].entries())
      expect(['', character]).toContain(characters[index]);
  }
});
