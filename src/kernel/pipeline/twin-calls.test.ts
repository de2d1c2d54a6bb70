import { expect, it } from 'vitest';
import { createTwinCalls } from './twin-calls.ts';

it('[attack.15-4] calls with one key run in order, and others at once', async () => {
  let at = 0;
  const twins = createTwinCalls(() => at);
  const order: string[] = [];
  let finish = () => {};
  const first = twins.run('a', async (hadTwin) => {
    await new Promise<void>((resolve) => (finish = resolve));
    order.push(`first ${hadTwin}`);
    throw new Error('refused');
  });
  const second = twins.run('a', async (hadTwin) => void order.push(`second ${hadTwin}`));
  await twins.run('b', async (hadTwin) => void order.push(`other ${hadTwin}`));
  finish();
  await expect(first).rejects.toThrow('refused');
  await second;
  await twins.run('a', async (hadTwin) => void order.push(`soon ${hadTwin}`));
  for (at = 1_000; at <= 2_000; at += 1_000) await twins.run('b', async () => {});
  await twins.run('a', async (hadTwin) => void order.push(`later ${hadTwin}`));
  expect(order).toEqual(['other false', 'first false', 'second true', 'soon true', 'later false']);
});
