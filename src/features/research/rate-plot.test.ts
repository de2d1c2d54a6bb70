import { describe, expect, it } from 'vitest';
import { dayPlus } from '../../kernel/days.ts';
import { plot, plotText } from './plot.ts';
import type { MetricRow } from './rules.ts';

/** Rates of days that follow each other; null is suppressed, undefined not mature. */
const rowsOf = (...rates: (number | null | undefined)[]): MetricRow[] =>
  rates.map((rate, index) => ({
    day: dayPlus('2026-02-01', index),
    numerator: 0,
    denominator: rate === null || rate === undefined ? 0 : 10,
    rate: rate ?? null,
    mature: rate !== undefined,
    suppressed: rate === null || rate === undefined,
  }));

const lines = (text: string) =>
  [...text.matchAll(/points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );

describe('a plot', () => {
  it('[research.plot] has a title, a description and axes, and no script, style or address', () => {
    const { text } = plot('Rates & <others>', rowsOf(0, 0.5, 1));
    expect(text).toMatch(
      /^<svg class="[\w ]+" viewBox="0 0 400 200" role="img" aria-labelledby="plot-title plot-text"/,
    );
    expect(text).toContain('<title id="plot-title">Rates &amp; &lt;others&gt;</title>');
    expect(text).toContain(`<desc id="plot-text">${plotText(rowsOf(0, 0.5, 1))}</desc>`);
    for (const label of ['0 %', '50 %', '100 %', '1 Feb 2026', '3 Feb 2026'])
      expect(text).toContain(`>${label}</text>`);
    expect(text).not.toMatch(/<script|<style|style=|href|url\(|NaN|Infinity|undefined|null/);
    // Colours come from the page: they are right in light and dark.
    for (const [, colour] of text.matchAll(/(?:fill|stroke)="([^"]*)"/g))
      expect(colour).toMatch(/^(none|currentColor)$/);
  });

  it('[research.plot] breaks its line where there is no rate, and puts more higher', () => {
    const runs = lines(plot('', rowsOf(0, 1, null, 0.5, undefined, undefined)).text);
    expect(runs.map((run) => run.length)).toEqual([2, 1]);
    const [[low, high] = [], [middle] = []] = runs;
    expect([low?.[1], middle?.[1], high?.[1]]).toEqual([170, 90, 10]);
    expect((low?.[0] ?? 0) < (high?.[0] ?? 0) && (high?.[0] ?? 0) < (middle?.[0] ?? 0)).toBe(true);
    // Days that are not mature have a ground of their own, to the right edge.
    const [, x, width] =
      /<rect x="([\d.]+)" y="10" width="([\d.]+)"/.exec(
        plot('', rowsOf(0, 1, null, 0.5, undefined, undefined)).text,
      ) ?? [];
    expect(Number(x) + Number(width)).toBeCloseTo(392, 0);
  });

  it('[research.plot] of nothing, of one day and of a year is whole', () => {
    for (const rows of [
      [],
      rowsOf(1),
      rowsOf(null),
      rowsOf(undefined),
      rowsOf(...Array.from({ length: 366 }, (_, index) => (index % 7) / 7)),
    ]) {
      const { text } = plot('', rows);
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
      for (const [x, y] of lines(text).flat())
        expect([
          x !== undefined && x >= 54 && x <= 392,
          y !== undefined && y >= 10 && y <= 170,
        ]).toEqual([true, true]);
    }
  });

  it('[research.plot] says in words what it shows', () => {
    expect(plotText(rowsOf(0.25, 0.125, null, undefined, undefined))).toBe(
      '2 days with a rate, from 12.5 % to 25 %; the newest is 12.5 % on 2 Feb 2026. Of 1 day nothing can be said: fewer than 5 authors. 2 days are not mature yet.',
    );
    expect(plotText(rowsOf())).toBe('No day has a rate.');
  });
});
