import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Attempt,
  accepted,
  choose,
  type Hook,
  type KnownHook,
  loadOf,
  retryDelayMs,
  verified,
} from './rules.ts';
import { ATTEMPTS } from './transitions.ts';

describe('the wait before the next attempt', () => {
  it('[hint.retry-schedule] is 5 s, 30 s, 2 min, 10 min, 1 h, 4 h and 12 h, a fifth more or less', () => {
    const middle = [5, 30, 120, 600, 3600, 14_400, 43_200].map((seconds) => seconds * 1000);
    const failed = middle.map((_, index) => index + 1);
    expect(failed.at(-1)).toBe(ATTEMPTS - 1);
    expect(failed.map((attempts) => retryDelayMs(attempts, 0.5))).toEqual(middle);
    expect(failed.map((attempts) => retryDelayMs(attempts, 0))).toEqual(
      middle.map((delay) => delay * 0.8),
    );
    expect(failed.map((attempts) => retryDelayMs(attempts, 1))).toEqual(
      middle.map((delay) => delay * 1.2),
    );
  });
});

describe('a notification that was accepted', () => {
  const at = Date.parse('2026-03-01T12:00:00.000Z');
  const owed = { cursor: 3, deliveryId: 'x', deliveryHead: 5, attempts: 2 } as Hook;

  it('[hint.in-flight] is followed by another one only when more has arrived, five seconds later', () => {
    expect(accepted(owed, 5, at)).toMatchObject({
      cursor: 5,
      deliveryId: null,
      attempts: 0,
      dueAt: null,
    });
    expect(accepted(owed, 6, at)).toMatchObject({
      cursor: 5,
      deliveryId: null,
      attempts: 0,
      dueAt: '2026-03-01T12:00:05.000Z',
    });
  });
});

describe('a webhook that is verified', () => {
  it('[webhook.cursor-now] is due five seconds later when something has arrived since it was configured', () => {
    const at = Date.parse('2026-03-01T12:00:00.000Z');
    const hook = {
      state: 'pending',
      lastError: null,
      cursor: 3,
      dueAt: null,
      alive: true,
    } as KnownHook;
    expect(verified(hook, 3, at)).toMatchObject({ state: 'active', dueAt: null });
    expect(verified(hook, 4, at)).toMatchObject({
      state: 'active',
      dueAt: '2026-03-01T12:00:05.000Z',
    });
  });
});

describe('what may begin beside what is under way', () => {
  const attempt = fc.record({
    agentId: fc.uuid(),
    host: fc.constantFrom('slow', 'dead', ...'abcdefghijklmnop'),
    attempts: fc.constantFrom(0, 0, 0, 1, 7),
  });
  const attemptsAt = (host: string, count: number, attempts = 0): Attempt[] =>
    Array.from({ length: count }, (_, n) => ({ agentId: `${host}-${n}`, host, attempts }));

  it('[hint.isolated] never exceeds the bounds for all, for a host, and for those that failed before', () => {
    fc.assert(
      fc.property(
        fc.array(attempt, { maxLength: 500 }),
        fc.array(attempt, { maxLength: 500 }),
        (due, later) => {
          let running: Attempt[] = [];
          for (const wave of [due, later]) {
            const chosen = choose(wave, running);
            running = [...running, ...chosen];
            expect(running.length).toBeLessThanOrEqual(200);
            expect(running.filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(100);
            for (const host of new Set(running.map((one) => one.host)))
              expect(running.filter((one) => one.host === host).length).toBeLessThanOrEqual(16);
            const { free, busyHosts, failingMayGo } = loadOf(running);
            expect(free).toBe(200 - running.length);
            // Whoever was left out met one of the bounds.
            for (const left of wave.filter((one) => !chosen.includes(one)))
              expect(
                free === 0 || busyHosts.includes(left.host) || (left.attempts > 0 && !failingMayGo),
              ).toBe(true);
          }
        },
      ),
    );
  });

  it('[hint.isolated] leaves room for others, however many are due at one host or fail', () => {
    const others = attemptsAt('good', 5);
    expect(choose([...attemptsAt('slow', 400), ...others], [])).toEqual([
      ...attemptsAt('slow', 16),
      ...others,
    ]);
    const failing = Array.from({ length: 40 }, (_, n) => attemptsAt(`dead-${n}`, 10, 3)).flat();
    const chosen = choose([...failing, ...others], []);
    expect(chosen).toEqual([...failing.slice(0, 100), ...others]);
  });
});
