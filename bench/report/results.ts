import type { Figures, Measurement } from '../measure/measure.ts';
import type { ExportFigures } from '../scenarios/export.ts';
import type { LogFigures } from '../scenarios/log.ts';
import type { SearchFigures } from '../scenarios/search.ts';
import {
  formatMilliseconds,
  formatNumber,
  formatSpread,
  formatVerdict,
  renderMarkdownTable,
} from './document.ts';

/** Returns the goal of a measurement and whether it was reached; '' for none. */
type CheckGoal = (figures: Figures, connections: number) => string;

const expectRate =
  (wanted: number): CheckGoal =>
  ({ rate }) =>
    formatVerdict(`≥ ${formatNumber(wanted)}/s`, rate.median >= wanted);

/** The goals of the measurements (issue 2, "Speed"). */
export const goals = {
  posts: ((figures, connections) =>
    connections === 8
      ? `${expectRate(1_500)(figures, 8)}; ${formatVerdict('p99 < 15 ms', figures.p99.median < 15)}`
      : '') satisfies CheckGoal,
  pages: expectRate(3_000),
  poll: (({ p50 }, connections) =>
    connections === 8 ? formatVerdict('median < 2 ms', p50.median < 2) : '') satisfies CheckGoal,
  search: ({ p50, p99 }) =>
    `${formatVerdict('median < 20 ms', p50.median < 20)}; ` +
    `${formatVerdict('p99 < 150 ms', p99.median < 150)}`,
  none: () => '',
} as const satisfies Record<string, CheckGoal>;

const formatRatio = (part: Figures, whole: Figures): string =>
  `${formatNumber((part.rate.median / whole.rate.median) * 100)} %`;

/** Renders the table of loads, with one row for each profile and number of connections. */
export function renderLoadTable(
  all: readonly { readonly measured: Measurement; readonly goal: CheckGoal }[],
): string {
  const head = [
    '',
    'connections',
    'Stoa, responses/s',
    'p50 ms',
    'p99 ms',
    'SQL alone, /s',
    'share',
    'bare Fastify, /s',
    'share',
    'goal',
  ];
  const rows = all.flatMap(({ measured: { what, by, sql }, goal }) =>
    [...by].map(([connections, { service, bare }]) => [
      what,
      String(connections),
      formatSpread(service.rate),
      formatMilliseconds(service.p50),
      formatMilliseconds(service.p99),
      sql ? formatSpread(sql.rate) : '',
      sql ? formatRatio(service, sql) : '',
      bare ? formatSpread(bare.rate) : '',
      bare ? formatRatio(service, bare) : '',
      goal(service, connections),
    ]),
  );
  return renderMarkdownTable(head, rows);
}

/** The figures of pages at one end of a thread. */
interface EndFigures {
  readonly service: Figures;
  readonly sql: Figures;
}

/** The figures of everything besides loads. */
export interface OtherFigures {
  readonly wake: { readonly p50: number; readonly p99: number; readonly times: number };
  readonly ends: { readonly first: EndFigures; readonly last: EndFigures };
  readonly messages: number;
  /** Posts by SQL alone, on one connection and on eight. */
  readonly posts: { readonly one: Figures; readonly eight: Figures | null };
  readonly exported: ExportFigures;
  readonly search: SearchFigures;
  readonly logged: LogFigures;
  readonly memory: { readonly service: number; readonly database: number | null };
}

/** Builds the rows about the speed and memory of an export. */
function buildExportRows({ lines, bytes, rate, sql, memory }: ExportFigures): string[][] {
  return [
    [
      `an export of ${formatNumber(lines)} lines (${formatNumber(bytes / 1_000_000)} MB), ` +
        'one reader',
      `${formatSpread(rate)} lines/s`,
      `SQL alone, 250 messages each: ${formatNumber(sql.rate.median * 250)}/s`,
      formatVerdict('≥ 40,000 lines/s', rate.median >= 40_000),
    ],
    [
      'maximum resident memory of the service during exports',
      `**${formatNumber(memory.peak)} MiB**`,
      `before: ${formatNumber(memory.before)} MiB`,
      formatVerdict('at most 64 MiB more', memory.peak - memory.before <= 64),
    ],
  ];
}

/** Builds the rows about the cost of the search index for posts. */
function buildSearchRows({ messages, posts, ratio }: SearchFigures): string[][] {
  return [
    [
      `posts with ${formatNumber(messages)} messages in the search index, 8 connections`,
      `${formatSpread(posts.indexed)}/s`,
      `the service without the index, in turns: ${formatSpread(posts.bare)}/s`,
      '',
    ],
    [
      'relative to the speed without the index',
      formatSpread(ratio, (part) => `${formatNumber(part * 100)} %`),
      '',
      formatVerdict('≥ 85 %', ratio.median >= 0.85),
    ],
  ];
}

/** Builds the rows about the log: its cost for posts, its throughput and its proofs. */
function buildLogRows({ posts, ratio, entries, integrated, proof }: LogFigures): string[][] {
  return [
    [
      'posts with receipts that are integrated into the log, 8 connections',
      `${formatSpread(posts.recorded)}/s`,
      `without receipts: ${formatSpread(posts.bare)}/s`,
      '',
    ],
    [
      'relative to the speed without receipts',
      formatSpread(ratio, (part) => `${formatNumber(part * 100)} %`),
      '',
      formatVerdict('≥ 95 %', ratio.median >= 0.95),
    ],
    [
      'receipts that are integrated into the log when very many wait',
      `**${formatNumber(integrated)}/s**`,
      '',
      formatVerdict('≥ 1,500/s', integrated >= 1_500),
    ],
    [
      `a proof from a log of ${formatNumber(entries)} entries, read one after the other`,
      `p50 **${proof.p50.toFixed(1)} ms**, p99 **${proof.p99.toFixed(1)} ms**`,
      '',
      formatVerdict('< 2 ms', proof.p50 < 2),
    ],
  ];
}

/** Renders the table of everything besides loads. */
export function renderOtherTable({
  wake,
  ends: { first, last },
  messages,
  posts,
  exported,
  search,
  logged,
  memory,
}: OtherFigures): string {
  const divideRates = (a: Figures, b: Figures) => a.rate.median / b.rate.median;
  const cost = divideRates(first.service, last.service);
  const formatMs = (value: number) => `${value.toFixed(1)} ms`;
  const renderEnd = ({ service, sql }: EndFigures) => [
    `${formatSpread(service.rate)}/s`,
    `SQL alone: ${formatSpread(sql.rate)}/s`,
  ];
  const thread = `of a thread of ${formatNumber(messages)} messages, not cached, 8 connections`;
  return renderMarkdownTable(
    ['', 'measured', 'for comparison', 'goal'],
    [
      [
        `waking a reader, from sending the post to receiving the event, ${wake.times} times`,
        `p50 **${formatMs(wake.p50)}**, p99 **${formatMs(wake.p99)}**`,
        '',
        formatVerdict('p99 < 20 ms', wake.p99 < 20),
      ],
      [
        'the same posts by SQL alone, one connection',
        `${formatSpread(posts.one.rate)}/s`,
        posts.eight
          ? `on eight, which wait for each other's locks: ${formatSpread(posts.eight.rate)}/s`
          : '',
        '',
      ],
      [`first pages ${thread}`, ...renderEnd(first), ''],
      [`last pages ${thread}`, ...renderEnd(last), ''],
      [
        'the cost of a last page relative to a first page',
        `**${cost.toFixed(2)}**`,
        `SQL alone: ${divideRates(first.sql, last.sql).toFixed(2)}`,
        formatVerdict('≤ 1.2', cost <= 1.2),
      ],
      ...buildExportRows(exported),
      ...buildSearchRows(search),
      ...buildLogRows(logged),
      [
        'maximum resident memory of the service in the whole run',
        `**${formatNumber(memory.service)} MiB**`,
        memory.database === null
          ? ''
          : `its PostgreSQL, shared memory counted once: ${formatNumber(memory.database)} MiB`,
        formatVerdict('< 250 MB', memory.service * 1.048_576 < 250),
      ],
    ],
  );
}
