import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAskTogether } from './ask-together.ts';

it('[attack.63-2] (API4) all who are woken at once ask together', async () => {
  const asked: number[][] = [];
  let answer = () => {};
  const ask = createAskTogether(async (questions: readonly number[]) => {
    asked.push([...questions]);
    await new Promise<void>((resolve) => (answer = resolve));
    if (questions.includes(13)) throw new Error('No answer.');
    return questions.map((question) => question * 2);
  });
  const first = ask(1);
  const others = [2, 3, 4].map(ask);
  answer();
  expect(await first).toBe(2);
  const failing = ask(13).catch(String);
  answer();
  expect(await Promise.all(others)).toEqual([4, 6, 8]);
  await settle();
  answer();
  expect(await failing).toBe('Error: No answer.');
  expect(asked).toEqual([[1], [2, 3, 4], [13]]);
});
