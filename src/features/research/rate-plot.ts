import { type Html, html } from '../../kernel/html/html.ts';
import { formatCount, formatDay } from '../../kernel/html/page-text.ts';
import { type MetricRow, MIN_AUTHORS } from './rules.ts';

const WIDTH = 400;
const HEIGHT = 200;

/** In units of the drawing. A letter is 10 pixels high on a phone, and 18 on a desktop. */
const FONT_SIZE = 14;

// The edges of the plot area. RIGHT is the margin on the right; the others are coordinates.
const LEFT = 54;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 170;

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

/**
 * Renders rates by day as SVG: lines, with gaps where there is no rate. Days that are not mature
 * have a shaded background. The page sets the colors.
 */
export function renderPlot(title: string, rows: readonly MetricRow[]): Html {
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, rows.length);
  const toX = (index: number): number => LEFT + step * (index + 0.5);
  const firstImmature = rows.findIndex(({ mature }) => !mature);
  const first = rows[0];
  const last = rows.at(-1);
  const radius = formatCoordinate(Math.max(1.2, Math.min(3.5, step / 3)));
  const top = findTop(rows);
  const formatY = (rate: number): string =>
    formatCoordinate(BOTTOM - (rate / top) * (BOTTOM - TOP));
  const renderTick = (rate: number): Html => {
    const y = formatY(rate);
    return html`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"
stroke="currentColor" stroke-opacity="${rate === 0 ? 0.7 : 0.2}"/>
<text x="${LEFT - 6}" y="${y}" dy=".35em" text-anchor="end">${formatPercent(rate)}</text>`;
  };
  const renderRun = (points: readonly Point[]): Html => {
    const coordinates = points.map(({ x, y }) => `${x},${y}`).join(' ');
    return html`<polyline fill="none" stroke="currentColor" stroke-width="2"
stroke-linejoin="round" points="${coordinates}"/>
${points.map(({ x, y }) => html`<circle cx="${x}" cy="${y}" r="${radius}"/>`)}\n`;
  };
  const immatureX = formatCoordinate(LEFT + step * firstImmature);
  const immatureWidth = formatCoordinate(step * (rows.length - firstImmature));
  return html`<svg class="plot rates" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
aria-labelledby="plot-title plot-text" font-size="${FONT_SIZE}">
<title id="plot-title">${title}</title>
<desc id="plot-text">${describePlot(rows)}</desc>
${
  firstImmature >= 0 &&
  html`<rect x="${immatureX}" y="${TOP}" width="${immatureWidth}" height="${BOTTOM - TOP}"
fill="currentColor" fill-opacity=".08"/>`
}
<g fill="currentColor">${[0, top / 2, top].map(renderTick)}
<text x="${LEFT}" y="${HEIGHT - 8}">${first && formatDay(first.day)}</text>
<text x="${WIDTH - RIGHT}" y="${HEIGHT - 8}" text-anchor="end">${
    last && last !== first && formatDay(last.day)
  }</text></g>
<g class="line">${splitRuns(rows, toX, formatY).map(renderRun)}</g>
</svg>`;
}
