import { formatNumber, renderMarkdownTable } from '../report/document.ts';
import {
  computeDemand,
  computeStored,
  type Demand,
  findKeptDays,
  GB,
  postParts,
  simulateGrowth,
  sumBytes,
  TB,
  YEAR_DAYS,
} from './growth-model.ts';

/** Posts a day. */
const levels = [1e4, 1e6, 1e8, 1e10];

/** Formats a number with two digits that count, or all of its whole ones. */
function formatCount(value: number): string {
  const digits = Math.max(0, 1 - Math.floor(Math.log10(value)));
  const round = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return digits > 0 ? value.toFixed(digits) : formatNumber(Math.round(value / round) * round);
}

function formatBytes(value: number): string {
  const [unit, name] = (
    [
      [1e15, 'PB'],
      [TB, 'TB'],
      [GB, 'GB'],
      [1e6, 'MB'],
      [1e3, 'KB'],
    ] as const
  ).find(([least]) => value >= least) ?? [1, 'B'];
  return `${formatCount(value / unit)} ${name}`;
}

/** Renders what each level needs. */
export function renderDemands(): string {
  const demands = levels.map(computeDemand);
  const stored = levels.map((posts) =>
    computeStored(Array.from({ length: YEAR_DAYS }, (_, day) => (day + 1) * posts)),
  );
  const nameKept = (days: number) =>
    days === Number.POSITIVE_INFINITY ? '' : ` of which ${days} days are kept`;
  const tables = postParts.map(({ table, kept }) => [
    `${table}, after a year${nameKept(findKeptDays(kept))}`,
    ...stored.map((tables) => formatBytes(tables.get(table)?.bytes ?? 0)),
  ]);
  const row = (name: string, read: (demand: Demand) => string) => [name, ...demands.map(read)];
  return renderMarkdownTable(
    ['Posts a day', ...levels.map(formatNumber)],
    [
      row('posts in the busiest second', ({ postsASecond }) => formatCount(postsASecond)),
      row('rows a day', ({ rowsADay }) => formatCount(rowsADay)),
      row('bytes a day in tables and indexes', ({ bytesADay }) => formatBytes(bytesADay)),
      ...tables,
      ['all tables after a year', ...stored.map((tables) => formatBytes(sumBytes(tables)))],
      row('files a day', ({ fileBytesADay }) => formatBytes(fileBytesADay)),
      row('write-ahead log a second', ({ walBytesASecond }) => formatBytes(walBytesASecond)),
      row('processors of the service', ({ serviceProcessors }) => formatCount(serviceProcessors)),
      row('processors of the database', ({ databaseProcessors }) =>
        formatCount(databaseProcessors),
      ),
      row('connections', ({ connections }) => formatNumber(connections)),
    ],
  );
}

/** Renders when an installation that grows tenfold a year reaches each limit. */
export function renderLimits(): string {
  const reached = simulateGrowth(1e4, 10, 7);
  return renderMarkdownTable(
    ['Limit', 'Day', 'Posts a day', 'All tables'],
    [...reached].map(([name, { nr, demand, stored }]) => [
      name,
      formatNumber(nr),
      formatCount(demand.postsADay),
      formatBytes(sumBytes(stored)),
    ]),
  );
}
