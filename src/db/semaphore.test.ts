import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

it('limits running tasks, keeps their order, and frees the permit of one that fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (permits, fails) => {
        const semaphore = createSemaphore(permits);
        const begun: number[] = [];
        let running = 0;
        const tasks = fails.map((fail, index) =>
          semaphore.run(async () => {
            begun.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(permits);
            await new Promise((resolve) => setImmediate(resolve));
            running -= 1;
            if (fail) throw new Error('failed');
          }),
        );
        expect(semaphore.waiting).toBe(Math.max(0, fails.length - permits));
        await Promise.allSettled(tasks);
        expect(begun).toEqual(fails.map((_, index) => index));
        expect(semaphore.waiting).toBe(0);
      },
    ),
  );
});
