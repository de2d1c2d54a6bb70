import { expect, it } from 'vitest';
import { installation } from '../../../../test/support/installation.ts';
import { monotonicClock } from '../../clock.ts';
import { createEventLoopTurns } from '../../event-loop-turns.ts';
import { renderMarkdownInTurn } from './render-in-turn.ts';

it('[attack.13-5] (API4) texts that are asked for together have turns apart', async () => {
  const turns = createEventLoopTurns(monotonicClock);
  const wait = () => turns.wait('ada');
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turnsOfTexts = await Promise.all(
    ['one', 'two', 'three'].map(async (text) => {
      expect((await renderMarkdownInTurn(text, [], { installation }, wait)).text).toContain(text);
      return turn;
    }),
  );
  isOver = true;
  expect(new Set(turnsOfTexts).size).toBe(3);
});
