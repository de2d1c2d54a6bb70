import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTurnstile } from './semaphore.ts';

it('lets so many transactions run at once, in order of arrival, and frees the place of one that fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (places, fails) => {
        const turnstile = createTurnstile(places);
        const begun: number[] = [];
        let running = 0;
        const tasks = fails.map((fail, index) =>
          turnstile.run(async () => {
            begun.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(places);
            await new Promise((resolve) => setImmediate(resolve));
            running -= 1;
            if (fail) throw new Error('failed');
          }),
        );
        expect(turnstile.waiting).toBe(Math.max(0, fails.length - places));
        await Promise.allSettled(tasks);
        expect(begun).toEqual(fails.map((_, index) => index));
        expect(turnstile.waiting).toBe(0);
      },
    ),
  );
});
