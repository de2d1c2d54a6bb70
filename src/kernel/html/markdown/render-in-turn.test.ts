import { expect, it } from 'vitest';
import { renderMarkdownInTurn } from './render-in-turn.ts';

it('[attack.13-5] (API4) texts that are asked for together have turns apart', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(
    ['one', 'two', 'three'].map(async (text) => {
      expect((await renderMarkdownInTurn(text)).text).toContain(text);
      return turn;
    }),
  );
  isOver = true;
  expect(new Set(turns).size).toBe(3);
});
