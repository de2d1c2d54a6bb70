import { type Html, html } from '../../kernel/html/html.ts';
import { count, dayOf } from '../../kernel/html/page-parts.ts';
import type { MetricRow } from './rules.ts';

/** Units of the drawing. At the width of a phone a letter is 10 pixels high, on a desk 18. */
const [WIDTH, HEIGHT, LETTER] = [400, 200, 14] as const;
const [LEFT, RIGHT, TOP, BOTTOM] = [54, 8, 10, 170] as const;

export const percent = (rate: number): string => `${Math.round(rate * 1000) / 10} %`;

const short = (coordinate: number): string => String(Math.round(coordinate * 10) / 10);

const y = (rate: number): string => short(BOTTOM - rate * (BOTTOM - TOP));

interface Point {
  readonly x: string;
  readonly y: string;
}

/** Points of days that follow each other; a day without a rate begins a new run. */
function runsOf(rows: readonly MetricRow[], x: (index: number) => number): Point[][] {
  const runs: Point[][] = [[]];
  for (const [index, { rate }] of rows.entries()) {
    if (rate === null) runs.push([]);
    else runs.at(-1)?.push({ x: short(x(index)), y: y(rate) });
  }
  return runs.filter((run) => run.length > 0);
}

/** What the drawing shows, in words. */
export function plotText(rows: readonly MetricRow[]): string {
  const rated = rows.flatMap(({ day, rate }) => (rate === null ? [] : [{ day, rate }]));
  const [newest, rates] = [rated.at(-1), rated.map(({ rate }) => rate)];
  const [early, few] = [
    rows.filter(({ mature }) => !mature).length,
    rows.filter(({ mature, suppressed }) => mature && suppressed).length,
  ];
  return [
    newest
      ? `${count(rated.length, 'day')} with a rate, from ${percent(Math.min(...rates))} to ${percent(Math.max(...rates))}; the newest is ${percent(newest.rate)} on ${dayOf(newest.day)}.`
      : 'No day has a rate.',
    ...(few > 0 ? [`Of ${count(few, 'day')} nothing can be said: fewer than 5 authors.`] : []),
    ...(early > 0 ? [`${count(early, 'day')} ${early === 1 ? 'is' : 'are'} not mature yet.`] : []),
  ].join(' ');
}

/** Rates by day as SVG: lines with gaps where there is no rate; days that are not mature stand on a shaded ground. Colours are those of the page. */
export function plot(title: string, rows: readonly MetricRow[]): Html {
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, rows.length);
  const x = (index: number): number => LEFT + step * (index + 0.5);
  const early = rows.findIndex(({ mature }) => !mature);
  const [first, last] = [rows[0], rows.at(-1)];
  const radius = short(Math.max(1.2, Math.min(3.5, step / 3)));
  const tick = (
    rate: number,
  ): Html => html`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(rate)}" y2="${y(rate)}" stroke="currentColor" stroke-opacity="${rate === 0 ? 0.7 : 0.2}"/>
<text x="${LEFT - 6}" y="${y(rate)}" dy=".35em" text-anchor="end">${rate * 100} %</text>`;
  const run = (
    points: readonly Point[],
  ): Html => html`<polyline fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" points="${points.map((at) => `${at.x},${at.y}`).join(' ')}"/>
${points.map((at) => html`<circle cx="${at.x}" cy="${at.y}" r="${radius}"/>`)}\n`;
  return html`<svg class="plot rates" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="plot-title plot-text" font-size="${LETTER}">
<title id="plot-title">${title}</title>
<desc id="plot-text">${plotText(rows)}</desc>
${early >= 0 && html`<rect x="${short(LEFT + step * early)}" y="${TOP}" width="${short(step * (rows.length - early))}" height="${BOTTOM - TOP}" fill="currentColor" fill-opacity=".08"/>`}
<g fill="currentColor">${[0, 0.5, 1].map(tick)}
<text x="${LEFT}" y="${HEIGHT - 8}">${first && dayOf(first.day)}</text>
<text x="${WIDTH - RIGHT}" y="${HEIGHT - 8}" text-anchor="end">${last && last !== first && dayOf(last.day)}</text></g>
<g class="line">${runsOf(rows, x).map(run)}</g>
</svg>`;
}
