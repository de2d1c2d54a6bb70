import { join, resolve } from 'node:path';
import { findCorpus } from '../content/corpus.ts';
import { type BenchSetup, createSetup } from '../content/setup.ts';
import { openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import type { Profile } from '../load/profiles.ts';
import { type BenchService, startService } from '../load/service.ts';
import { compareCosts, MEASURES, measureCosts } from '../measure/costs.ts';
import { runInPairs } from '../measure/run-in-pairs.ts';
import type { Round } from '../measure/stats.ts';
import { renderMarkdownTable } from '../report/document.ts';

export interface PairOptions {
  readonly other?: string;
  readonly flags?: string;
  readonly settings?: string;
  readonly connections: string;
  readonly seconds: string;
  readonly rounds: string;
}

/** Places in a thread of 100 messages at which full pages of 50 begin. */
const MOST_OFFSETS = 50;

/** What two builds can be compared by. Older builds have no other prepared data. */
const builders = {
  post: (
    { threads, authors }: BenchSetup,
    bodies: readonly string[],
    followsByDefault: boolean,
  ): Profile => ({
    kind: 'post',
    threads,
    keys: authors.map(({ key }) => key),
    bodies,
    followsByDefault,
  }),
  page: ({ privatePages, authors }: BenchSetup): Profile => ({
    kind: 'page',
    pages: privatePages,
    key: authors[1]?.key ?? null,
  }),
  'public-page': ({ publicPages }: BenchSetup): Profile => ({
    kind: 'page',
    pages: publicPages,
    key: null,
  }),
  /** Pages for people that are read again and again. */
  html: ({ publicPages }: BenchSetup): Profile => ({ kind: 'html', pages: publicPages }),
  /** So many pages that each has to be made. */
  'html-anew': ({ publicPages }: BenchSetup): Profile => ({
    kind: 'html',
    pages: publicPages
      .filter(({ offset }) => offset === 0)
      .flatMap(({ threadId }) =>
        Array.from({ length: MOST_OFFSETS }, (_, offset) => ({ threadId, offset })),
      ),
  }),
  poll: ({ idle }: BenchSetup): Profile => ({ kind: 'poll', keys: [idle.key], cursor: 0 }),
  register: (): Profile => ({ kind: 'register' }),
} as const;
type Subject = keyof typeof builders;

const WARM_UP_SECONDS = 3;

/** Whether posting follows a thread, which a post of these builds may refuse by `follow`. */
async function followsByDefault(url: string): Promise<boolean> {
  const document = await (await fetch(`${url}/openapi.json`)).text();
  return document.includes('"follow"');
}

/**
 * Runs the command `bench pairs`: this build and another one answer the same calls in turns, each
 * with a database of its own. `rate` is calls a second; `service`, `database` and `both` are
 * microseconds of processor time a call; `memory` is in MiB.
 */
export async function benchPairs(what: string, options: PairOptions): Promise<void> {
  if (!(what in builders))
    throw new Error(`${what} is none of ${Object.keys(builders).join(', ')}.`);
  const settings = { RATE_LIMITS: 'off', LOAD_LIMITS: 'off' };
  const main = options.other && join(resolve(options.other), 'dist/src/main.js');
  await using own = await startService(settings);
  const others = Object.fromEntries(
    (options.settings?.split(' ') ?? []).map((setting) => setting.split('=')),
  ) as Record<string, string>;
  await using other = await startService(
    { ...settings, ...others },
    { main, flags: options.flags?.split(' ') },
  );
  const seconds = Number(options.seconds);
  const connections = Number(options.connections);
  using load = openChild<LoadCommand, Round | null>('load');
  const prepare = async (service: BenchService, name: string) => {
    const corpus = await findCorpus(undefined, service.folder);
    const setup = await createSetup(service, corpus);
    const follows = await followsByDefault(service.url);
    const profile = builders[what as Subject](setup, corpus.bodies, follows);
    await load.ask({ keep: name, profile, adminKey: service.adminKey });
    const run = async (url: string, duration = seconds) =>
      (await load.ask({ run: name, url, connections, seconds: duration })) as Round;
    await run(service.url, WARM_UP_SECONDS);
    return () => measureCosts(service, run, seconds);
  };
  const measureOwn = await prepare(own, 'own');
  const measureOther = await prepare(other, 'other');
  const pairs = await runInPairs(Number(options.rounds), measureOwn, measureOther);
  const table = renderMarkdownTable(
    ['', 'this build', 'the other', 'ratio'],
    compareCosts(pairs, MEASURES),
  );
  console.log(`${what}, ${connections} connections, ${pairs.length} pairs.\n\n${table}`);
}
