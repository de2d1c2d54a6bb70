import { describe, expect, it } from 'vitest';
import { failInsufficientScope } from '../../kernel/callers/callers.ts';
import { DAY_MS } from '../../kernel/days.ts';
import { assertMayConsent, buildMetricRows } from './rules.ts';
import { findMatureSpan, getLastMatureDay, parseSpan } from './spans.rules.ts';

const at = Date.parse('2026-03-10T00:00:00.000Z');

describe('a span', () => {
  it('[research.input] is the last 90 days, or begins or ends as requested', () => {
    expect(parseSpan({}, at, 'query')).toEqual({ from: '2025-12-11', to: '2026-03-10' });
    expect(parseSpan({ to: '2026-03-01' }, at, 'query')).toEqual({
      from: '2025-12-02',
      to: '2026-03-01',
    });
    expect(parseSpan({ from: '2026-03-10' }, at, 'query')).toEqual({
      from: '2026-03-10',
      to: '2026-03-10',
    });
    expect(parseSpan({ to: '2000-01-02' }, at, 'query')).toEqual({
      from: '2000-01-01',
      to: '2000-01-02',
    });
    for (const to of ['1999-12-31', '0001-01-01', '0000-01-01'])
      expect(() => parseSpan({ to }, at, 'query')).toThrow('/query/');
    expect(parseSpan({ from: '2025-03-10', to: '2026-03-10' }, at, 'body')).toEqual({
      from: '2025-03-10',
      to: '2026-03-10',
    });
    expect(() => parseSpan({ from: '2025-03-09', to: '2026-03-10' }, at, 'body')).toThrow(
      '/body/from',
    );
    expect(() => parseSpan({ from: '2026-03-11' }, at, 'body')).toThrow('/body/from');
  });
});

describe('a day', () => {
  it('[research.mature] matures when it and its window are over', () => {
    expect(getLastMatureDay(0, at)).toBe('2026-03-09');
    expect(getLastMatureDay(0, at - 1)).toBe('2026-03-08');
    expect(getLastMatureDay(14, at)).toBe('2026-02-23');
    expect(findMatureSpan({ from: '2026-03-01', to: '2026-03-10' }, 1, at)).toEqual({
      from: '2026-03-01',
      to: '2026-03-08',
    });
    expect(findMatureSpan({ from: '2026-03-09', to: '2026-03-10' }, 1, at)).toBeUndefined();
  });

  it('[research.suppressed] has a rate only when it is mature and has at least five', () => {
    const counts = [
      { day: '2026-03-01', numerator: 1, denominator: 5 },
      { day: '2026-03-02', numerator: 1, denominator: 4 },
      { day: '2026-03-09', numerator: 9, denominator: 9 },
    ];
    const rows = buildMetricRows({ from: '2026-03-01', to: '2026-03-10' }, counts, 1, at);
    expect(rows).toHaveLength(10);
    expect(rows.filter(({ rate }) => rate !== null)).toEqual([
      { ...counts[0], rate: 0.2, mature: true, suppressed: false },
    ]);
    expect(rows[1]).toMatchObject({ rate: null, mature: true, suppressed: true });
    expect(rows[8]).toMatchObject({ rate: null, mature: false });
    expect(
      buildMetricRows({ from: '2026-03-01', to: '2026-03-01' }, [], 1, at + 100 * DAY_MS),
    ).toMatchObject([{ denominator: 0, rate: null, suppressed: true }]);
  });
});

describe('consent', () => {
  it('[research.consent-scope] is for keys with the scope forum or research', () => {
    for (const scopes of [['forum'], ['credits', 'research']] as const)
      expect(() => assertMayConsent({ scopes })).not.toThrow();
    for (const scopes of [[], ['credits', 'reviewer']] as const)
      expect(() => assertMayConsent({ scopes })).toThrow(failInsufficientScope('forum').message);
  });
});
