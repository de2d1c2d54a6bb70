import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns a function that asks at most once in so many milliseconds, and not while it is asking.
 * Whoever calls it in between shares the answer, or the error.
 */
export function shareFor<Answer>(
  milliseconds: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  const forget = () => {
    answer = undefined;
  };
  return () => {
    if (answer === undefined) {
      answer = ask();
      const elapsed = sleep(milliseconds, undefined, { ref: false });
      void Promise.allSettled([answer, elapsed]).then(forget);
    }
    return answer;
  };
}
