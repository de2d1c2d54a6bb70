/** A diagram with lines over the same axis of time. */
export interface PlotPanel {
  readonly title: string;
  /** Values at equal distances of time, by name. NaN leaves a gap. */
  readonly lines: Readonly<Record<string, readonly number[]>>;
}

const WIDTH = 900;
const HEIGHT = 150;
const LEFT = 60;
const LEGEND = 230;
const GAP = 45;
const colors = ['#0b6e99', '#c4491d', '#3d7a3d', '#7a3d8f', '#8a6d00', '#444444', '#b0306a'];

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const formatValue = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toPrecision(2);

/** Renders one panel, whose values begin at zero. */
function renderPanel({ title, lines }: PlotPanel, index: number): string {
  const top = 30 + index * (HEIGHT + GAP);
  const all = Object.entries(lines);
  const values = all.flatMap(([, list]) => list).filter(Number.isFinite);
  const max = Math.max(...values, 1e-9) * 1.05;
  const count = Math.max(2, ...all.map(([, list]) => list.length));
  const right = WIDTH - LEGEND;
  const toPoint = (value: number, nr: number) => {
    const x = LEFT + (nr / (count - 1)) * (right - LEFT);
    return `${x.toFixed(1)},${(top + HEIGHT * (1 - value / max)).toFixed(1)}`;
  };
  const drawn = all.map(([name, list], nr) => {
    const color = colors[nr % colors.length];
    const points = list.flatMap((value, at) =>
      Number.isFinite(value) ? [toPoint(value, at)] : [],
    );
    const y = top + 12 + nr * 15;
    return (
      `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${points.join(' ')}"/>` +
      `<text x="${right + 10}" y="${y}" fill="${color}">${escapeText(name)}</text>`
    );
  });
  return [
    `<text x="${LEFT}" y="${top - 8}" font-weight="bold">${escapeText(title)}</text>`,
    `<rect x="${LEFT}" y="${top}" width="${right - LEFT}" height="${HEIGHT}" fill="none" ` +
      'stroke="#999"/>',
    `<text x="${LEFT - 6}" y="${top + 10}" text-anchor="end">${formatValue(max)}</text>`,
    `<text x="${LEFT - 6}" y="${top + HEIGHT}" text-anchor="end">0</text>`,
    ...drawn,
  ].join('\n');
}

/** Renders panels below each other as an SVG image. `minutes` is the length of the time axis. */
export function renderPlot(panels: readonly PlotPanel[], minutes: number): string {
  const height = 30 + panels.length * (HEIGHT + GAP);
  const axis = `0 to ${minutes.toFixed(0)} minutes`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ` +
      'font-family="sans-serif" font-size="12">',
    `<title>${panels.map(({ title }) => title).join(', ')}: ${axis}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...panels.map(renderPanel),
    `<text x="${LEFT}" y="${height - 8}" fill="#666">${axis}</text>`,
    '</svg>',
    '',
  ].join('\n');
}
