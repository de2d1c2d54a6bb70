import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, choose, loadOf, retryDelayMs } from './rules.ts';
import { ATTEMPTS } from './transitions.ts';

describe('the wait before the next attempt', () => {
  it('[hint.retry-schedule] is 5 s, 30 s, 2 min, 10 min, 1 h, 4 h and 12 h, a fifth more or less', () => {
    const middle = [5, 30, 120, 600, 3600, 14_400, 43_200].map((seconds) => seconds * 1000);
    const failed = middle.map((_, index) => index + 1);
    expect(failed.at(-1)).toBe(ATTEMPTS - 1);
    expect(failed.map((attempts) => retryDelayMs(attempts, 0.5))).toEqual(middle);
    expect(failed.map((attempts) => retryDelayMs(attempts, 0))).toEqual(middle.map((delay) => delay * 0.8));
    expect(failed.map((attempts) => retryDelayMs(attempts, 1))).toEqual(middle.map((delay) => delay * 1.2));
  });
});

describe('what may begin beside what is under way', () => {
  const attempt = fc.record({ agentId: fc.uuid(), host: fc.constantFrom('slow', 'dead', ...'abcdefghijklmnop'), attempts: fc.constantFrom(0, 0, 0, 1, 7) });
  const attemptsAt = (host: string, count: number, attempts = 0): Attempt[] =>
    Array.from({ length: count }, (_, n) => ({ agentId: `${host}-${n}`, host, attempts }));

  it('[hint.isolated] never exceeds the bounds for all, for a host, and for those that failed before', () => {
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 500 }), fc.array(attempt, { maxLength: 500 }), (due, later) => {
        let running: Attempt[] = [];
        for (const wave of [due, later]) {
          const chosen = choose(wave, running);
          running = [...running, ...chosen];
          expect(running.length).toBeLessThanOrEqual(200);
          expect(running.filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(100);
          for (const host of new Set(running.map((one) => one.host))) expect(running.filter((one) => one.host === host).length).toBeLessThanOrEqual(16);
          const { free, busyHosts, failingMayGo } = loadOf(running);
          expect(free).toBe(200 - running.length);
          // Whoever was left out met one of the bounds.
          for (const left of wave.filter((one) => !chosen.includes(one)))
            expect(free === 0 || busyHosts.includes(left.host) || (left.attempts > 0 && !failingMayGo)).toBe(true);
        }
      }),
    );
  });

  it('[hint.isolated] leaves room for others, however many are due at one host or fail', () => {
    const others = attemptsAt('good', 5);
    expect(choose([...attemptsAt('slow', 400), ...others], [])).toEqual([...attemptsAt('slow', 16), ...others]);
    const failing = Array.from({ length: 40 }, (_, n) => attemptsAt(`dead-${n}`, 10, 3)).flat();
    const chosen = choose([...failing, ...others], []);
    expect(chosen).toEqual([...failing.slice(0, 100), ...others]);
  });
});
