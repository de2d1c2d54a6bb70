import { describe, expect, it } from 'vitest';
import { addDays } from '../../kernel/days.ts';
import { describePlot, renderPlot } from './rate-plot.ts';
import type { MetricRow } from './rules.ts';

/** Builds rows of consecutive days. A rate of null is suppressed, undefined is not mature. */
const buildRows = (...rates: (number | null | undefined)[]): MetricRow[] =>
  rates.map((rate, index) => ({
    day: addDays('2026-02-01', index),
    numerator: 0,
    denominator: rate === null || rate === undefined ? 0 : 10,
    rate: rate ?? null,
    mature: rate !== undefined,
    suppressed: rate === null || rate === undefined,
  }));

const extractPolylines = (text: string) =>
  [...text.matchAll(/points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );

describe('a plot', () => {
  it('[research.plot] has a title, a description and axes, and no script, style or address', () => {
    const { text } = renderPlot('Rates & <others>', buildRows(0, 0.5, 1));
    expect(text).toMatch(/^<svg class="[\w ]+" role="img" aria-labelledby="plot-title plot-text">/);
    expect(text).toContain('<title id="plot-title">Rates &amp; &lt;others&gt;</title>');
    expect(text).toContain(`<desc id="plot-text">${describePlot(buildRows(0, 0.5, 1))}</desc>`);
    for (const label of ['0 %', '50 %', '100 %', '1 Feb 2026', '3 Feb 2026'])
      expect(text).toContain(`>${label}</text>`);
    expect(text).not.toMatch(/<script|<style|style=|href|url\(|NaN|Infinity|undefined|null/);
    // Each point keeps its size and shape however the drawing is stretched.
    expect(text).toMatch(
      /<path stroke-width="6" stroke-linecap="round"\svector-effect="non-scaling-/,
    );
    expect(text.match(/M[\d.]+ [\d.]+h0/g)).toHaveLength(3);
    // Colors come from the page, so they fit light and dark schemes.
    for (const [, colour] of text.matchAll(/(?:fill|stroke)="([^"]*)"/g))
      expect(colour).toMatch(/^(none|currentColor)$/);
  });

  it('[research.plot] breaks its line where there is no rate, and puts more higher', () => {
    const runs = extractPolylines(
      renderPlot('', buildRows(0, 1, null, 0.5, undefined, undefined)).text,
    );
    expect(runs.map((run) => run.length)).toEqual([2, 1]);
    const [[low, high] = [], [middle] = []] = runs;
    expect({ low: low?.[1], middle: middle?.[1], high: high?.[1] }).toEqual({
      low: 160,
      middle: 80,
      high: 0,
    });
    expect((low?.[0] ?? 0) < (high?.[0] ?? 0) && (high?.[0] ?? 0) < (middle?.[0] ?? 0)).toBe(true);
    // Days that are not mature have a shaded background up to the right edge.
    const [, x, width] =
      /<rect x="([\d.]+)" y="0" width="([\d.]+)"/.exec(
        renderPlot('', buildRows(0, 1, null, 0.5, undefined, undefined)).text,
      ) ?? [];
    expect(Number(x) + Number(width)).toBeCloseTo(400, 0);
  });

  it('[research.plot] ends its axis at the next round rate above the highest', () => {
    const { text } = renderPlot('', buildRows(0.05, 0.22));
    for (const label of ['0 %', '15 %', '30 %']) expect(text).toContain(`>${label}</text>`);
    expect(text).not.toContain('>100 %<');
  });

  it('[research.plot] of nothing, of one day and of a year is whole', () => {
    for (const rows of [
      [],
      buildRows(1),
      buildRows(null),
      buildRows(undefined),
      buildRows(...Array.from({ length: 366 }, (_, index) => (index % 7) / 7)),
    ]) {
      const { text } = renderPlot('', rows);
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
      for (const [x, y] of extractPolylines(text).flat())
        expect({
          isXInside: x !== undefined && x >= 0 && x <= 400,
          isYInside: y !== undefined && y >= 0 && y <= 160,
        }).toEqual({ isXInside: true, isYInside: true });
    }
  });

  it('[research.plot] says in words what it shows', () => {
    expect(describePlot(buildRows(0.25, 0.125, null, undefined, undefined))).toBe(
      '2 days with a rate, from 12.5 % to 25 %; the newest is 12.5 % on 2 Feb 2026. 1 day has ' +
        'no rate, because the denominator is below 5. 2 days are not mature yet.',
    );
    expect(describePlot(buildRows())).toBe('No day has a rate.');
  });
});
