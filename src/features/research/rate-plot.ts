import { type Html, html } from '../../kernel/html/html.ts';
import { formatCount, formatDay } from '../../kernel/html/page-text.ts';
import { type MetricRow, MIN_AUTHORS } from './rules.ts';

/** In units of the drawing, which fills the width and height that the page gives it. */
const WIDTH = 400;
const HEIGHT = 160;

/** Formats a rate from 0 to 1 as a percentage with at most one decimal: "12.5 %". */
export const formatPercent = (rate: number): string => `${Math.round(rate * 1000) / 10} %`;

const formatCoordinate = (coordinate: number): string => String(Math.round(coordinate * 10) / 10);

/** The rates at which the axis may end. */
const tops: readonly number[] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75];

/** Finds the round rate at the end of the axis: the next one that no rate exceeds. */
function findTop(rows: readonly MetricRow[]): number {
  const highest = Math.max(0, ...rows.map(({ rate }) => rate ?? 0));
  return tops.find((top) => top >= highest) ?? 1;
}

interface Point {
  readonly x: string;
  readonly y: string;
}

/** Splits the points into runs. A day without a rate ends a run. */
function splitRuns(
  rows: readonly MetricRow[],
  toX: (index: number) => number,
  formatY: (rate: number) => string,
): Point[][] {
  const runs: Point[][] = [[]];
  for (const [index, { rate }] of rows.entries()) {
    if (rate === null) runs.push([]);
    else runs.at(-1)?.push({ x: formatCoordinate(toX(index)), y: formatY(rate) });
  }
  return runs.filter((run) => run.length > 0);
}

/** Describes in words what the plot shows. */
export function describePlot(rows: readonly MetricRow[]): string {
  const rated = rows.flatMap(({ day, rate }) => (rate === null ? [] : [{ day, rate }]));
  const newest = rated.at(-1);
  const rates = rated.map(({ rate }) => rate);
  const immatureCount = rows.filter(({ mature }) => !mature).length;
  const suppressedCount = rows.filter(({ mature, suppressed }) => mature && suppressed).length;
  return [
    newest
      ? `${formatCount(rated.length, 'day')} with a rate, from ` +
        `${formatPercent(Math.min(...rates))} to ` +
        `${formatPercent(Math.max(...rates))}; the newest is ${formatPercent(newest.rate)} on ` +
        `${formatDay(newest.day)}.`
      : 'No day has a rate.',
    ...(suppressedCount > 0
      ? [
          `${formatCount(suppressedCount, 'day')} ${suppressedCount === 1 ? 'has' : 'have'} no ` +
            `rate, because the denominator is below ${MIN_AUTHORS}.`,
        ]
      : []),
    ...(immatureCount > 0
      ? [
          `${formatCount(immatureCount, 'day')} ${immatureCount === 1 ? 'is' : 'are'} not ` +
            'mature yet.',
        ]
      : []),
  ].join(' ');
}

/** Points of more days than this are small, because larger ones would hide the line. */
const MANY_DAYS = 120;

/**
 * Renders one run of days as a line. Its points are lines of no length with round ends: unlike
 * circles they keep their shape and size however the drawing is stretched.
 */
const renderRun = (
  points: readonly Point[],
  pointSize: number,
): Html => html`<polyline stroke-width="1.5"
stroke-linejoin="round" vector-effect="non-scaling-stroke" points="${points
  .map(({ x, y }) => `${x},${y}`)
  .join(' ')}"/>
<path stroke-width="${pointSize}" stroke-linecap="round"
vector-effect="non-scaling-stroke" d="${points.map(({ x, y }) => `M${x} ${y}h0`).join('')}"/>\n`;

/** Renders a line across the plot with its rate; `share` is its place, from bottom to top. */
const renderTick = (share: number, top: number): Html => {
  const y = `${100 * (1 - share)}%`;
  return html`<line x2="100%" y1="${y}" y2="${y}" stroke="currentColor"
stroke-opacity="${share === 0 ? 0.7 : 0.2}"/>
<text x="-.6em" y="${y}" dy=".35em" text-anchor="end">${formatPercent(share * top)}</text>`;
};

/**
 * Renders rates by day as SVG: lines, with gaps where there is no rate. Days that are not mature
 * have a shaded background. The page sets colors and size. Only the inner drawing stretches, so
 * that labels have the size of text on every screen; they are in the margin of the plot.
 */
export function renderPlot(title: string, rows: readonly MetricRow[]): Html {
  const step = WIDTH / Math.max(1, rows.length);
  const toX = (index: number): number => step * (index + 0.5);
  const firstImmature = rows.findIndex(({ mature }) => !mature);
  const first = rows[0];
  const last = rows.at(-1);
  const top = findTop(rows);
  const formatY = (rate: number): string => formatCoordinate(HEIGHT * (1 - rate / top));
  const immatureX = formatCoordinate(step * firstImmature);
  const immatureWidth = formatCoordinate(step * (rows.length - firstImmature));
  return html`<svg class="plot rates" role="img" aria-labelledby="plot-title plot-text">
<title id="plot-title">${title}</title>
<desc id="plot-text">${describePlot(rows)}</desc>
<g fill="currentColor">${[0, 0.5, 1].map((share) => renderTick(share, top))}
${first && html`<text y="100%" dy="1.6em">${formatDay(first.day)}</text>`}${
  last &&
  last !== first &&
  html`<text x="100%" y="100%" dy="1.6em" text-anchor="end">${formatDay(last.day)}</text>`
}</g>
<svg width="100%" height="100%" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${
  firstImmature >= 0 &&
  html`<rect x="${immatureX}" y="0" width="${immatureWidth}" height="${HEIGHT}"
fill="currentColor" fill-opacity=".08"/>`
}
<g class="line">${splitRuns(rows, toX, formatY).map((run) =>
    renderRun(run, rows.length > MANY_DAYS ? 3 : 6),
  )}</g>
</svg></svg>`;
}
