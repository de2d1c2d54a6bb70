import { expect, it } from 'vitest';
import { splitWords } from './search-words.rules.ts';
import { splitMessage } from './store.ts';

it('[attack.15-2] (API4) a long text is split in turns, into the same words', async () => {
  const long = '一 b é '.repeat(4_000);
  let turns = 0;
  const words = await splitMessage(long, async () => void turns++);
  expect(words).toEqual(splitWords(long));
  expect(turns).toBe(2);
});
