import { join, resolve } from 'node:path';
import { findCorpus } from '../content/corpus.ts';
import { createSetup } from '../content/setup.ts';
import { type Subject, subjects } from '../content/subjects.ts';
import { openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
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
  if (!(what in subjects))
    throw new Error(`${what} is none of ${Object.keys(subjects).join(', ')}.`);
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
    const profile = subjects[what as Subject](setup, corpus.bodies, follows);
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
