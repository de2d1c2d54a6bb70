import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is yes.
 * @param limit milliseconds
 * @param every milliseconds between two questions
 * @returns whether it was yes within the limit
 */
export async function until(
  answer: () => boolean | Promise<boolean>,
  limit: number,
  every = 25,
): Promise<boolean> {
  const start = performance.now();
  while (!(await answer())) {
    if (performance.now() - start > limit) return false;
    await sleep(every);
  }
  return true;
}

/** Sleeps. Ends early, without an error, when the signal fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
