import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('[attack.68-2] (API4) long lists take two places, whoever asks for them', async () => {
  let time = 0;
  const { lists } = createTurns(3, () => time).turns;
  const callers = ['ada', 'bob', 'cyd', 'dan'];
  // Each list takes a second, as those of very many threads do.
  const readLong = async () => {
    time += 1_000;
  };
  for (const caller of callers) await lists.run(readLong, caller);
  const ends: (() => void)[] = [];
  const hold = (caller: string) =>
    lists.run(() => new Promise<void>((resolve) => ends.push(resolve)), caller);
  const held = callers.map(hold);
  expect(ends).toHaveLength(2);
  const short = ['eve', 'fay', 'gus', 'hal'].map(hold);
  expect(ends).toHaveLength(6);
  for (const end of ends.splice(0)) end();
  await Promise.all(short);
  for (let count = 0; count < 2; count++) {
    await new Promise((resolve) => setImmediate(resolve));
    for (const end of ends.splice(0)) end();
  }
  await Promise.all(held);
});
