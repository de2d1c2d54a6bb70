import { markdownTable, milliseconds, number, span, verdict } from './document.ts';
import type { ExportFigures } from '../scenarios/export.ts';
import type { LogFigures } from '../scenarios/log.ts';
import type { Figures, Measured } from '../measure/measure.ts';
import type { SearchFigures } from '../scenarios/search.ts';

type Goal = (figures: Figures, connections: number) => string;

const perSecond =
  (wanted: number): Goal =>
  ({ rate }) =>
    verdict(`≥ ${number(wanted)}/s`, rate.median >= wanted);

/** What was to be reached (issue 2, "Speed"), by what is measured. */
export const goals = {
  posts: ((figures, connections) =>
    connections === 8
      ? `${perSecond(1_500)(figures, 8)}; ${verdict('p99 < 15 ms', figures.p99.median < 15)}`
      : '') satisfies Goal,
  pages: perSecond(3_000),
  poll: (({ p50 }, connections) =>
    connections === 8 ? verdict('median < 2 ms', p50.median < 2) : '') satisfies Goal,
  search: ({ p50, p99 }) =>
    `${verdict('median < 20 ms', p50.median < 20)}; ${verdict('p99 < 150 ms', p99.median < 150)}`,
  none: () => '',
} as const satisfies Record<string, Goal>;

const ratio = (part: Figures, whole: Figures): string =>
  `${number((part.rate.median / whole.rate.median) * 100)} %`;

/** One row for each thing and number of connections. Errors: none. */
export function loadTable(
  all: readonly { readonly measured: Measured; readonly goal: Goal }[],
): string {
  const head = [
    '',
    'connections',
    'Stoa, answers/s',
    'p50 ms',
    'p99 ms',
    'SQL alone, /s',
    'of it',
    'bare Fastify, /s',
    'of it',
    'to reach',
  ];
  const rows = all.flatMap(({ measured: { what, by, sql }, goal }) =>
    [...by].map(([connections, { service, bare }]) => [
      what,
      String(connections),
      span(service.rate),
      milliseconds(service.p50),
      milliseconds(service.p99),
      sql ? span(sql.rate) : '',
      sql ? ratio(service, sql) : '',
      bare ? span(bare.rate) : '',
      bare ? ratio(service, bare) : '',
      goal(service, connections),
    ]),
  );
  return markdownTable(head, rows);
}

interface Ends {
  readonly service: Figures;
  readonly sql: Figures;
}

export interface Others {
  readonly wake: { readonly p50: number; readonly p99: number; readonly times: number };
  readonly ends: { readonly first: Ends; readonly last: Ends };
  readonly messages: number;
  /** Posts by SQL alone on one connection, and on eight. */
  readonly posts: { readonly one: Figures; readonly eight: Figures | null };
  readonly exported: ExportFigures;
  readonly search: SearchFigures;
  readonly logged: LogFigures;
  readonly memory: { readonly service: number; readonly database: number | null };
}

/** An export: how fast, and what memory it takes. */
function exportRows({ lines, bytes, rate, sql, memory }: ExportFigures): string[][] {
  return [
    [
      `an export of ${number(lines)} lines (${number(bytes / 1_000_000)} MB), one reader`,
      `${span(rate)} lines/s`,
      `SQL alone, 250 messages each: ${number(sql.rate.median * 250)}/s`,
      verdict('≥ 40,000 lines/s', rate.median >= 40_000),
    ],
    [
      'resident memory of the service, most while it exports',
      `**${number(memory.peak)} MiB**`,
      `before: ${number(memory.before)} MiB`,
      verdict('at most 64 MiB more', memory.peak - memory.before <= 64),
    ],
  ];
}

/** What the index of words costs those who post. */
function searchRows({ messages, posts, ratio }: SearchFigures): string[][] {
  return [
    [
      `posts among ${number(messages)} messages that can be searched, 8 connections`,
      `${span(posts.indexed)}/s`,
      `the same service without the index, in turns: ${span(posts.bare)}/s`,
      '',
    ],
    [
      'of the speed without the index',
      span(ratio, (part) => `${number(part * 100)} %`),
      '',
      verdict('≥ 85 %', ratio.median >= 0.85),
    ],
  ];
}

/** What the log costs those who post, and what it gives. */
function logRows({ posts, ratio, entries, integrated, proof }: LogFigures): string[][] {
  return [
    [
      'posts whose acts are recorded and integrated into the log, 8 connections',
      `${span(posts.recorded)}/s`,
      `nothing recorded: ${span(posts.bare)}/s`,
      '',
    ],
    [
      'of the speed without recording',
      span(ratio, (part) => `${number(part * 100)} %`),
      '',
      verdict('≥ 95 %', ratio.median >= 0.95),
    ],
    [
      'acts that get their place in the log when very many wait',
      `**${number(integrated)}/s**`,
      '',
      verdict('≥ 1,500/s', integrated >= 1_500),
    ],
    [
      `a proof from a log of ${number(entries)} entries, one after the other`,
      `p50 **${proof.p50.toFixed(1)} ms**, p99 **${proof.p99.toFixed(1)} ms**`,
      '',
      verdict('< 2 ms', proof.p50 < 2),
    ],
  ];
}

export function otherTable({
  wake,
  ends: { first, last },
  messages,
  posts,
  exported,
  search,
  logged,
  memory,
}: Others): string {
  const times = (a: Figures, b: Figures) => a.rate.median / b.rate.median;
  const cost = times(first.service, last.service);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const end = ({ service, sql }: Ends) => [
    `${span(service.rate)}/s`,
    `SQL alone: ${span(sql.rate)}/s`,
  ];
  const thread = `of a thread of ${number(messages)} messages, not in memory, 8 connections`;
  return markdownTable(
    ['', 'measured', 'beside it', 'to reach'],
    [
      [
        `a waiting reader is woken: from sending the post to having the event, ${wake.times} times`,
        `p50 **${ms(wake.p50)}**, p99 **${ms(wake.p99)}**`,
        '',
        verdict('p99 < 20 ms', wake.p99 < 20),
      ],
      [
        'the same posts by SQL alone, one connection',
        `${span(posts.one.rate)}/s`,
        posts.eight ? `on eight, which wait for each other: ${span(posts.eight.rate)}/s` : '',
        '',
      ],
      [`first pages ${thread}`, ...end(first), ''],
      [`last pages ${thread}`, ...end(last), ''],
      [
        'a last page costs, in first pages',
        `**${cost.toFixed(2)}**`,
        `SQL alone: ${times(first.sql, last.sql).toFixed(2)}`,
        verdict('≤ 1.2', cost <= 1.2),
      ],
      ...exportRows(exported),
      ...searchRows(search),
      ...logRows(logged),
      [
        'resident memory of the service, most in the whole run',
        `**${number(memory.service)} MiB**`,
        memory.database === null
          ? ''
          : `its PostgreSQL, shared memory counted once: ${number(memory.database)} MiB`,
        verdict('< 250 MB', memory.service * 1.048_576 < 250),
      ],
    ],
  );
}
