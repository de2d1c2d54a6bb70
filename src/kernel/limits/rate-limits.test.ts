import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../../db/database.ts';
import { StoaError } from '../errors.ts';
import { createBuckets } from './buckets.ts';
import { createRateLimiter, defaultRates, type RateLimiter } from './rate-limits.ts';

const connection = await createDatabase(inject('server'));
const db = openDatabase(connection, { connections: 4 });
afterAll(async () => {
  await db[Symbol.asyncDispose]();
});

const START = Date.parse('2026-03-01T12:00:00.000Z');
const NODES = 3;

/** Whether a call passes; if not, the seconds after which it says that it may. */
async function take(
  limiter: RateLimiter,
  who: string,
  at: number,
): Promise<{ passed: boolean; wait: number }> {
  try {
    await limiter.take('writes', { name: who }, at, () => {});
    return { passed: true, wait: 0 };
  } catch (error) {
    if (!(error instanceof StoaError)) throw error;
    return { passed: false, wait: error.members.retryAfterSeconds as number };
  }
}

const steps = fc.array(
  fc.record({
    node: fc.nat(NODES - 1),
    calls: fc.integer({ min: 1, max: 12 }),
    wait: fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(40_000), fc.nat(200_000)),
  }),
  { minLength: 1, maxLength: 25 },
);

describe('the rate limiter', () => {
  it.each([
    { tokens: 5, seconds: 60 },
    { tokens: 60, seconds: 60 },
    { tokens: 7, seconds: 3600 },
  ])(
    '[rate.shared] [rate.refusal] $tokens in $seconds s: three nodes share bucket and refill',
    { timeout: 60_000 },
    async (rate) => {
      const lot = Math.max(1, Math.floor(rate.tokens / 20));
      await fc.assert(
        fc.asyncProperty(steps, async (plan) => {
          const who = randomUUID();
          const nodes = Array.from({ length: NODES }, () =>
            createRateLimiter(createBuckets(db), { ...defaultRates, writes: rate }),
          );
          const passed: number[] = [];
          let at = START;
          for (const { node, calls, wait } of plan) {
            at += wait;
            const answers = await Promise.all(
              Array.from({ length: calls }, () => take(nodes[node] as RateLimiter, who, at)),
            );
            for (const answer of answers) {
              if (answer.passed) passed.push(at);
              else expect(answer.wait).toBeGreaterThanOrEqual(1);
            }
          }
          const countRefilled = (from: number, to: number) =>
            ((to - from) / 1000) * (rate.tokens / rate.seconds);
          expect(passed.length).toBeLessThanOrEqual(rate.tokens + countRefilled(START, at) + 1e-6);
          // Between any two moments too, but for the few tokens that each node has taken out before
          // and not yet spent.
          for (const [index, from] of passed.entries()) {
            for (let last = index; last < passed.length; last++) {
              const bound = rate.tokens + countRefilled(from, passed[last] as number) + NODES * lot;
              expect(last - index + 1).toBeLessThanOrEqual(bound + 1e-6);
            }
          }
          // Nobody is kept out for longer than it was told, unless others took what flowed in: what
          // it was told before they did is waited out first.
          const [node] = nodes as [RateLimiter];
          at += (await take(node, who, at)).wait * 1000;
          for (let tries = 0; tries < 3; tries++) {
            const refused = await take(node, who, at);
            at += refused.wait * 1000;
            if (!refused.passed)
              expect(await take(node, who, at)).toEqual({ passed: true, wait: 0 });
          }
        }),
        { numRuns: 40 },
      );
    },
  );

  it('[rate.buckets] fills up to its size and no further', async () => {
    const limiter = createRateLimiter(createBuckets(db), {
      ...defaultRates,
      writes: { tokens: 3, seconds: 60 },
    });
    const takeBurst = async (at: number) =>
      (await Promise.all([1, 2, 3, 4, 5].map(() => take(limiter, 'burst', at)))).filter(
        ({ passed }) => passed,
      ).length;
    expect(await takeBurst(START)).toBe(3);
    expect(await takeBurst(START + 20_000)).toBe(1);
    expect(await takeBurst(START + 86_400_000)).toBe(3);
  });

  it('[attack.4-4] charges more than is left, and refuses until it is paid', async () => {
    const limiter = createRateLimiter(createBuckets(db), {
      ...defaultRates,
      writes: { tokens: 60, seconds: 60 },
    });
    const who = randomUUID();
    expect(await take(limiter, who, START)).toEqual({ passed: true, wait: 0 });
    limiter.charge('writes', { name: who }, 50);
    expect(await take(limiter, who, START)).toEqual({ passed: true, wait: 0 });
    limiter.charge('writes', { name: who }, 20);
    // Of 60 tokens it has used 72, and needs one for the next call.
    expect(await take(limiter, who, START)).toEqual({ passed: false, wait: 13 });
    expect((await take(limiter, who, START + 12_000)).passed).toBe(false);
    expect((await take(limiter, who, START + 13_000)).passed).toBe(true);
  });

  it('[attack.4-4] never charges for more than a whole bucket', async () => {
    const rate = { tokens: 60, seconds: 60 };
    const limiter = createRateLimiter(createBuckets(db), { ...defaultRates, writes: rate });
    const who = randomUUID();
    await take(limiter, who, START);
    limiter.charge('writes', { name: who }, 1_000_000);
    expect((await take(limiter, who, START)).passed).toBe(false);
    expect((await take(limiter, who, START + 60_000)).passed).toBe(true);
  });
});

it('[attack.51-4] (API4) a caller that owes more than it has left is told to wait', async () => {
  const limiter = createRateLimiter(createBuckets(db), defaultRates);
  const who = { name: randomUUID() };
  const assertPaid = (at: number) => limiter.assertPaid('writes', who, at);
  assertPaid(START);
  await limiter.take('writes', who, START, () => {});
  limiter.charge('writes', who, 200);
  assertPaid(START);
  limiter.charge('writes', who, 109);
  expect(() => assertPaid(START)).toThrow('Wait 2 s');
  assertPaid(START + 2_000);
  // More than a whole bucket is not known, and nothing is paid until a token is taken.
  limiter.charge('writes', who, 5_000);
  expect(() => assertPaid(START + 60_000)).toThrow('Wait');
  await limiter.take('writes', who, START + 120_000, () => {});
  assertPaid(START + 120_000);
});
