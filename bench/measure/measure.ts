import type { Child } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import type { Profile } from '../load/profiles.ts';
import type { SqlLimit } from '../load/sql-limit.ts';
import type { Statement } from '../load/statements.ts';
import { type Round, type Spread, toSpread } from './stats.ts';

/** How long and how often to measure. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** The rounds of the bare route and of SQL alone. */
  readonly bareRounds: number;
  readonly bareSeconds: number;
  readonly wakeUps: number;
}

/** The rate per second and the latencies in milliseconds of several rounds. */
export interface Figures {
  readonly rate: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
}

const toFigures = (rounds: readonly Round[]): Figures => ({
  rate: toSpread(rounds.map(({ rate }) => rate)),
  p50: toSpread(rounds.map(({ p50 }) => p50)),
  p99: toSpread(rounds.map(({ p99 }) => p99)),
});

/** Runs rounds one after the other. */
export async function measureRounds(count: number, round: () => Promise<Round>): Promise<Figures> {
  const rounds: Round[] = [];
  for (let index = 0; index < count; index++) rounds.push(await round());
  return toFigures(rounds);
}

/** The parts of a run that all measurements need. */
export interface Bench {
  readonly pace: Pace;
  readonly url: string;
  readonly bareUrl: string;
  readonly adminKey: string;
  readonly load: Child<LoadCommand, Round | null>;
  readonly sql: SqlLimit;
  /** Prints the current step. */
  readonly report: (what: string) => void;
  /** Records the memory of service and database after a load. */
  readonly sampleMemory: () => void;
}

/** One measured profile, and its upper limits. */
export interface Measurement {
  readonly what: string;
  readonly by: ReadonlyMap<number, { readonly service: Figures; readonly bare: Figures | null }>;
  readonly sql: Figures | null;
}

const WARM_UP_SECONDS = 0.5;

/**
 * Measures a profile with the service, with its SQL alone, and with the same bytes from a bare
 * route. The measurements follow each other closely, so that the state of the machine is the same.
 */
export async function measure(
  bench: Bench,
  what: string,
  profile: Profile,
  statement: (() => Statement) | null,
  connections: readonly number[] = [8, 32],
  bare = true,
): Promise<Measurement> {
  const { pace, load, sql, adminKey, report, sampleMemory } = bench;
  await load.ask({ keep: what, profile, adminKey });
  const runRound = (url: string, count: number, seconds: number) =>
    load.ask({ run: what, url, connections: count, seconds }) as Promise<Round>;
  const by = new Map<number, { service: Figures; bare: Figures | null }>();
  for (const count of connections) {
    report(`${what}, ${count} connections`);
    await runRound(bench.url, count, WARM_UP_SECONDS);
    const service = await measureRounds(pace.rounds, () =>
      runRound(bench.url, count, pace.seconds),
    );
    report(
      `  ${Math.round(service.rate.median)}/s, p50 ${service.p50.median.toFixed(1)} ms, p99 ` +
        `${service.p99.median.toFixed(1)} ms`,
    );
    sampleMemory();
    if (bare) await runRound(bench.bareUrl, count, WARM_UP_SECONDS / 2);
    by.set(count, {
      service,
      bare: bare
        ? await measureRounds(pace.bareRounds, () =>
            runRound(bench.bareUrl, count, pace.bareSeconds),
          )
        : null,
    });
  }
  if (!statement) return { what, by, sql: null };
  report(`${what}, SQL alone`);
  await sql.measure(WARM_UP_SECONDS, statement);
  return {
    what,
    by,
    sql: await measureRounds(pace.bareRounds, () => sql.measure(pace.bareSeconds, statement)),
  };
}

/** Measures two profiles in turns, round by round, to compare them. */
export async function measureInTurn(
  bench: Bench,
  connections: number,
  both: Readonly<
    Record<'first' | 'last', { readonly profile: Profile; readonly statement: () => Statement }>
  >,
): Promise<Record<'first' | 'last', { readonly service: Figures; readonly sql: Figures }>> {
  const { pace, load, sql, url, adminKey, report, sampleMemory } = bench;
  const rounds = {
    first: { service: [] as Round[], sql: [] as Round[] },
    last: { service: [] as Round[], sql: [] as Round[] },
  };
  const ends = ['first', 'last'] as const;
  for (const end of ends) await load.ask({ keep: end, profile: both[end].profile, adminKey });
  report(`first and last pages, ${connections} connections`);
  for (const end of ends) await load.ask({ run: end, url, connections, seconds: WARM_UP_SECONDS });
  for (let index = 0; index < pace.rounds; index++) {
    // The first one may find the machine in another state, so they take turns.
    for (const end of index % 2 ? ends.toReversed() : ends) {
      rounds[end].service.push(
        (await load.ask({ run: end, url, connections, seconds: pace.seconds })) as Round,
      );
      rounds[end].sql.push(await sql.measure(pace.bareSeconds, both[end].statement));
    }
  }
  sampleMemory();
  const pickFigures = (end: 'first' | 'last') => ({
    service: toFigures(rounds[end].service),
    sql: toFigures(rounds[end].sql),
  });
  return { first: pickFigures('first'), last: pickFigures('last') };
}
