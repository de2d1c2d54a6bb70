import { beforeEach, describe, expect, it } from 'vitest';
import { unlimitedRateLimiter } from './rate-limits.ts';
import { createSlowSearches, type SlowSearches } from './slow-searches.ts';

let at = 0;
let charged: unknown[] = [];
let searches: SlowSearches;
const begin = (name: string) => searches.begin({ name, pays: [{ name: `agent:${name}` }] });
function search(name: string, ms: number, timedOut = false): void {
  const end = begin(name);
  at += ms;
  end(timedOut);
}

beforeEach(() => {
  at = 0;
  charged = [];
  const limiter = {
    ...unlimitedRateLimiter,
    charge: (...all: unknown[]) => void charged.push(all),
  };
  searches = createSlowSearches(limiter, () => at);
});

describe('[attack.15-1] (API4) a search', () => {
  it('is paid by the time that it took', () => {
    search('a', 249);
    expect(charged).toEqual([]);
    search('a', 999);
    expect(charged).toEqual([['searches', { name: 'agent:a' }, 3]]);
    expect(searches.isSlow('a')).toBe(false);
  });

  it('that takes very long, or too long, makes its caller slow for minutes', () => {
    search('a', 1_000);
    search('b', 100, true);
    expect(['a', 'b', 'c'].map((name) => searches.isSlow(name))).toEqual([true, true, false]);
    at += 300_000;
    expect(searches.isSlow('a')).toBe(false);
  });

  it('beside others counts for its share of the time', () => {
    const ends = ['a', 'b', 'c'].map(begin);
    at += 1_500;
    for (const end of ends) end(false);
    expect(['a', 'b', 'c'].some((name) => searches.isSlow(name))).toBe(false);
    expect(charged).toHaveLength(3);
  });

  it('is remembered of so many callers only', () => {
    for (let nr = 0; nr < 10_001; nr++) search(`${nr}`, 0, true);
    expect([searches.isSlow('0'), searches.isSlow('1'), searches.isSlow('10000')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
