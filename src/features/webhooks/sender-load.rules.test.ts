import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseAttempts, computeLoad, type DeliveryAttempt, getSite } from './sender-load.rules.ts';

describe('the attempts that may begin while others are running', () => {
  const listHosts = (site: string, length: number): string[] =>
    Array.from({ length }, (_, nr) => `h${nr}.${site}`);
  const attempt = fc.record({
    agentId: fc.uuid(),
    host: fc.constantFrom('slow', 'dead', ...'abcdefghijklmnop', ...listHosts('one.example', 9)),
    attempts: fc.constantFrom(0, 0, 0, 1, 7),
  });
  const buildAttempts = (host: string, count: number, attempts = 0): DeliveryAttempt[] =>
    Array.from({ length: count }, (_, n) => ({ agentId: `${host}-${n}`, host, attempts }));

  it('[hint.isolated] never exceed the limits in all, per host, and for failing hooks', () => {
    fc.assert(
      fc.property(
        fc.array(attempt, { maxLength: 500 }),
        fc.array(attempt, { maxLength: 500 }),
        (due, later) => {
          let running: DeliveryAttempt[] = [];
          for (const wave of [due, later]) {
            const chosen = chooseAttempts(wave, running);
            running = [...running, ...chosen];
            expect(running.length).toBeLessThanOrEqual(200);
            expect(running.filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(100);
            for (const host of new Set(running.map((one) => one.host)))
              expect(running.filter((one) => one.host === host).length).toBeLessThanOrEqual(16);
            for (const site of new Set(running.map(({ host }) => getSite(host))))
              expect(
                running.filter(({ host }) => getSite(host) === site).length,
              ).toBeLessThanOrEqual(96);
            const { free, busyHosts, busySites, failingMayGo } = computeLoad(running);
            expect(free).toBe(200 - running.length);
            // Everything that was left out met one of the limits.
            for (const left of wave.filter((one) => !chosen.includes(one)))
              expect(
                free === 0 ||
                  busyHosts.includes(left.host) ||
                  busySites.includes(getSite(left.host)) ||
                  (left.attempts > 0 && !failingMayGo),
              ).toBe(true);
          }
        },
      ),
    );
  });

  it('[attack.13-7] (API4) leave room for others, however many hosts a domain has', () => {
    const others = buildAttempts('good.test', 5);
    const wildcard = listHosts('evil.test', 400).flatMap((host) => buildAttempts(host, 1));
    const chosen = chooseAttempts([...wildcard, ...others], []);
    expect(chosen).toEqual([...wildcard.slice(0, 96), ...others]);
    expect(computeLoad(chosen).busySites).toEqual(['evil.test']);
  });

  it('[attack.13-7] (API4) leave room for quiet hosts of a site, however slow others are', () => {
    const slow = listHosts('platform.test', 4).flatMap((host) => buildAttempts(host, 16));
    const running = chooseAttempts(slow, []);
    expect(running).toHaveLength(64);
    const quiet = buildAttempts('quiet.platform.test', 3);
    expect(chooseAttempts([...slow, ...quiet], running)).toEqual(quiet.slice(0, 1));
    expect(computeLoad([...running, ...quiet.slice(0, 1)])).toMatchObject({
      busyHosts: [...listHosts('platform.test', 4), 'quiet.platform.test'],
      busySites: [],
    });
  });

  it('[hint.isolated] leave room for others, however many are due at one host or fail', () => {
    const others = buildAttempts('good', 5);
    expect(chooseAttempts([...buildAttempts('slow', 400), ...others], [])).toEqual([
      ...buildAttempts('slow', 16),
      ...others,
    ]);
    const failing = Array.from({ length: 40 }, (_, n) => buildAttempts(`dead-${n}`, 10, 3)).flat();
    const chosen = chooseAttempts([...failing, ...others], []);
    expect(chosen).toEqual([...failing.slice(0, 100), ...others]);
  });
});
