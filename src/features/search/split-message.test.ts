import { expect, it } from 'vitest';
import { splitWords } from './search-words.rules.ts';
import { splitMessage, splitName } from './store.ts';

it('[attack.15-2] (API4) a long text is split in turns, into the same words', async () => {
  const long = '一 b é '.repeat(4_000);
  let turns = 0;
  const words = await splitMessage(long, async () => void turns++);
  expect(words).toEqual(splitWords(long));
  expect(turns).toBe(2);
});

it('[attack.66-2] (API4) so is what is said about something named', async () => {
  const named = { title: 'ก'.repeat(200), text: 'ก b é '.repeat(3_000) };
  let turns = 0;
  const words = await splitName(named, async () => void turns++);
  expect(words).toEqual({ title: splitWords(named.title), text: splitWords(named.text) });
  expect(turns).toBe(2);
});
