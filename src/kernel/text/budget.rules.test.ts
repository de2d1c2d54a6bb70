import { describe, expect, it } from 'vitest';
import {
  countCodePoints,
  measureEscaped,
  measureJson,
  takeExcerpt,
  takeItems,
} from './budget.rules.ts';

const texts = [
  'plain words ',
  'Größe ',
  '世界和平',
  '🙂👩‍👧',
  'مرحبا ',
  '\n\t"\\',
  '\u0001\u001f',
  'é̀',
];

describe('takeExcerpt', () => {
  it.for(texts)('[mcp.budget] cuts %j into pieces that fit and together are everything', (one) => {
    const text = one.repeat(200);
    for (const room of [1, 7, 40, 999]) {
      let joined = '';
      for (let from: number | null = 0; from !== null; ) {
        const { piece, truncated } = takeExcerpt(text, from, room);
        expect(countCodePoints(piece)).toBeGreaterThan(0);
        if (countCodePoints(piece) > 1) expect(measureJson(piece) - 2).toBeLessThanOrEqual(room);
        joined += piece;
        expect(truncated?.length ?? countCodePoints(text)).toBe([...text].length);
        from = truncated?.nextFrom ?? null;
      }
      expect(joined).toBe(text);
    }
  });

  it('[mcp.budget] has nothing after the end', () => {
    expect(takeExcerpt('abc', 3, 10)).toEqual({ piece: '', truncated: null });
    expect(takeExcerpt('', 0, 10)).toEqual({ piece: '', truncated: null });
  });
});

it('[attack.11-5] (API4) measureEscaped counts what JSON makes of each code point', () => {
  const differing: number[] = [];
  for (let point = 0; point <= 0x10ffff; point++)
    if (measureEscaped(point) !== measureJson(String.fromCodePoint(point)) - 2)
      differing.push(point);
  expect(differing).toEqual([]);
});

describe('takeItems', () => {
  it('[mcp.budget] takes whole items, at least one, and the one to keep', () => {
    expect(takeItems([5, 5, 5], 12)).toEqual({ start: 0, end: 2 });
    expect(takeItems([50, 5], 12)).toEqual({ start: 0, end: 1 });
    expect(takeItems([], 12)).toEqual({ start: 0, end: 0 });
    expect(takeItems([5, 5, 5, 5], 12, 2)).toEqual({ start: 1, end: 3 });
    expect(takeItems([5, 50, 5], 12, 1)).toEqual({ start: 1, end: 2 });
  });
});
