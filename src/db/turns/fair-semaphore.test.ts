import { expect, it } from 'vitest';
import { createExpectedCosts } from './expected-costs.ts';
import { createSemaphore } from './semaphore.ts';
import { createTurns } from './turns.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A semaphore whose clock moves by the length of a task, and the order in which tasks begin. */
function createTimed(permits: number, reserved = 0) {
  let at = 0;
  const semaphore = createSemaphore(permits, { reserved, now: () => at });
  const begun: string[] = [];
  const run = (caller: string, milliseconds: number) =>
    semaphore.run(async () => {
      begun.push(caller);
      await settle();
      at += milliseconds;
    }, caller);
  return { semaphore, begun, run, pass: (milliseconds: number) => (at += milliseconds) };
}

/** Runs something while three callers have one short task after another. */
async function runBesideShort(
  run: (caller: string, milliseconds: number) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const busy = ['a', 'b', 'c'].map(async (caller) => {
    while (!isOver) await run(caller, 20);
  });
  await work();
  isOver = true;
  await Promise.all(busy);
}

it('[attack.16-1] (API4) short tasks overtake long ones, which have their turns too', async () => {
  const { semaphore, begun, run, pass } = createTimed(1);
  for (let nr = 0; nr < 10; nr++) {
    await run('long', 1_000);
    await run('longer', 4_000);
  }
  begun.length = 0;
  const first = run('first', 20);
  const long = [run('longer', 4_000), run('long', 1_000), run('long', 1_000)];
  pass(100);
  const short = [run('short', 20), run('short', 20), run('new', 20)];
  expect(['longer', 'long', 'short', 'else'].map((one) => semaphore.countAhead(one))).toEqual([
    6, 6, 3, 2,
  ]);
  await Promise.all([first, ...long, ...short]);
  expect(begun.slice(0, 4)).toEqual(['first', 'short', 'short', 'new']);
  expect(begun.slice(4).toSorted()).toEqual(['long', 'long', 'longer']);

  // Whoever waits long enough overtakes even an endless row of short tasks.
  begun.length = 0;
  await runBesideShort(run, () => run('long', 1_000));
  expect(begun).toContain('long');
});

it('[attack.16-1] (API4) callers whose tasks are equally long take turns', async () => {
  const { begun, run } = createTimed(1);
  const tasks = [...'aaaabac'].map((caller) => run(caller, 50));
  await Promise.all(tasks);
  expect(begun.join('')).toBe('aabcaaa');
});

it('[attack.16-1] (API4) long tasks leave a permit to short ones', async () => {
  const { semaphore, begun, run } = createTimed(2, 1);
  await run('a', 1_500);
  await run('b', 1_500);
  const both = [run('a', 0), run('b', 0)];
  expect([begun.length, semaphore.waiting]).toEqual([3, 1]);
  const short = [run('c', 0), run('c', 0)];
  expect([begun.length, semaphore.waiting]).toEqual([4, 2]);
  await Promise.all([...both, ...short]);
  expect(semaphore.waiting).toBe(0);
});

it('[attack.16-1] (API4) long tasks have turns beside an endless row of short ones', async () => {
  const { begun, run } = createTimed(2, 1);
  await run('long', 1_500);
  begun.length = 0;
  await runBesideShort(run, () => run('long', 1_500));
  expect(begun.length).toBeGreaterThan(3);
});

it('[attack.19-4] (API4) long tasks leave a place where turns are not weighed', async () => {
  let at = 0;
  const { writers } = createTurns(3, () => at);
  const begun: string[] = [];
  const run = (caller: string, milliseconds: number) =>
    writers.run(async () => {
      begun.push(caller);
      await settle();
      at += milliseconds;
    }, caller);
  for (const caller of ['a', 'b']) await run(caller, 300);
  begun.length = 0;
  const long = [...'aabbab'].map((caller) => run(caller, 300));
  expect(begun.join('')).toBe('aa');
  const short = [run('c', 5), run('c', 5)];
  expect(begun.join('')).toBe('aac');
  await Promise.all(short);
  // In turns, though those of the other are as long.
  await Promise.all(long);
  expect(begun.filter((caller) => caller !== 'c').join('')).toBe('aababb');
  // Where nobody else writes, they have all places.
  at += 1_001;
  begun.length = 0;
  const alone = [...'aab'].map((caller) => run(caller, 300));
  expect(begun.join('')).toBe('aab');
  await Promise.all(alone);
});

it('[attack.16-1] (API4) short tasks between long ones, and failures, hide nothing', async () => {
  const costs = createExpectedCosts();
  costs.learn('mixed', 900);
  for (let nr = 0; nr < 10; nr++) costs.learn('mixed', 2);
  expect(costs.get('mixed')).toBeGreaterThan(500);
  for (let nr = 0; nr < 30; nr++) costs.learn('mixed', 2);
  expect(costs.get('mixed')).toBeLessThan(100);

  const { semaphore, run } = createTimed(2, 1);
  await run('long', 900);
  for (let nr = 0; nr < 20; nr++)
    await expect(semaphore.run(() => Promise.reject(new Error('gone')), 'long')).rejects.toThrow();
  const running = run('long', 0);
  const other = run('long', 0);
  expect(semaphore.countWaiting('long')).toBe(1);
  await Promise.all([running, other]);
});

it('[attack.16-2] (API4) what a task waits for before it begins is not its length', async () => {
  const { semaphore, run, pass } = createTimed(2, 1);
  await semaphore.run(async (begin) => {
    pass(5_000);
    begin();
    pass(20);
  }, 'patient');
  const both = [run('patient', 0), run('patient', 0)];
  expect(semaphore.waiting).toBe(0);
  await Promise.all(both);
});

it('forgets whoever had a task longest ago', () => {
  const costs = createExpectedCosts();
  for (let nr = 0; nr <= 10_000; nr++) costs.learn(`${nr}`, 5);
  expect(['0', '1', '10000'].map(costs.get)).toEqual([50, 5, 5]);
});
