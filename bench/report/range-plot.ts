import type { Measurement } from '../measure/measure.ts';
import type { Spread } from '../measure/stats.ts';
import { formatNumber } from './document.ts';

const WIDTH = 900;
const LEFT = 330;
const RIGHT = 130;
const ROW = 18;
const GAP = 34;
const colors = { stoa: '#0b6e99', sql: '#c4491d', bare: '#8a8a8a' };

interface Bar {
  readonly name: string;
  readonly rate: Spread;
  readonly color: string;
}

/** Lists the bars of one kind of call: the service by connections, and its upper limits. */
function listBars({ by, sql }: Measurement): Bar[] {
  const all = [...by];
  const { bare } = all.at(-1)?.[1] ?? {};
  return [
    ...all.map(([connections, { service }]) => ({
      name: `Stoa, ${connections} connection${connections === 1 ? '' : 's'}`,
      rate: service.rate,
      color: colors.stoa,
    })),
    ...(sql ? [{ name: 'SQL alone, 8 connections', rate: sql.rate, color: colors.sql }] : []),
    ...(bare
      ? [{ name: `bare Fastify, ${all.at(-1)?.[0]}`, rate: bare.rate, color: colors.bare }]
      : []),
  ];
}

/** Renders a bar as long as the median, with a line from the least to the most. */
function renderBar({ name, rate, color }: Bar, top: number, max: number): string {
  const toX = (value: number) => (LEFT + (value / max) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const middle = top + ROW / 2;
  return [
    `<text x="${LEFT - 8}" y="${middle + 4}" text-anchor="end">${name}</text>`,
    `<rect x="${LEFT}" y="${top + 3}" height="${ROW - 6}" fill="${color}" fill-opacity="0.55" ` +
      `width="${(Number(toX(rate.median)) - LEFT).toFixed(1)}"/>`,
    `<line x1="${toX(rate.min)}" x2="${toX(rate.max)}" y1="${middle}" y2="${middle}" ` +
      `stroke="${color}" stroke-width="3"/>`,
    `<text x="${Number(toX(rate.max)) + 6}" y="${middle + 4}">` +
      `${formatNumber(rate.median)}/s</text>`,
  ].join('\n');
}

/**
 * Renders the rates of all kinds of calls as an SVG image: for each kind the service beside its
 * upper limits. Each kind has a scale of its own, which begins at zero.
 */
export function renderRangePlot(measured: readonly Measurement[]): string {
  let top = 10;
  const drawn = measured.map((one) => {
    const bars = listBars(one);
    const max = Math.max(...bars.map(({ rate }) => rate.max));
    const title = `<text x="10" y="${top + 16}" font-weight="bold">${one.what}</text>`;
    top += GAP - ROW / 2;
    const rows = bars.map((bar, nr) => renderBar(bar, top + nr * ROW, max));
    top += bars.length * ROW;
    return [title, ...rows].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + 16}" ` +
      'font-family="sans-serif" font-size="12">',
    '<title>Answers a second: the median as a bar, and the least to the most as a line</title>',
    `<rect width="${WIDTH}" height="${top + 16}" fill="white"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
