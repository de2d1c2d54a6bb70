import type { Child } from '../load/child.ts';
import type { Load } from '../load/load.ts';
import type { Profile } from '../load/profiles.ts';
import type { SqlLimit } from '../load/sql-limit.ts';
import type { Statement } from '../load/statements.ts';
import { type Round, type Spread, spreadOf } from './stats.ts';

/** How long and how often. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** Of the bare limits. */
  readonly bareRounds: number;
  readonly bareSeconds: number;
  readonly wakeUps: number;
}

export interface Figures {
  readonly rate: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
}

const figuresOf = (rounds: readonly Round[]): Figures => ({
  rate: spreadOf(rounds.map(({ rate }) => rate)),
  p50: spreadOf(rounds.map(({ p50 }) => p50)),
  p99: spreadOf(rounds.map(({ p99 }) => p99)),
});

/** Runs rounds one after the other. */
export async function several(count: number, round: () => Promise<Round>): Promise<Figures> {
  const rounds: Round[] = [];
  for (let index = 0; index < count; index++) rounds.push(await round());
  return figuresOf(rounds);
}

export interface Bench {
  readonly pace: Pace;
  readonly url: string;
  readonly bareUrl: string;
  readonly adminKey: string;
  readonly load: Child<Load, Round | null>;
  readonly sql: SqlLimit;
  /** Tells what is being done. */
  readonly say: (what: string) => void;
  /** Looks at the memory of service and database; called after each load. */
  readonly look: () => void;
}

/** One thing that was measured, and its limits. */
export interface Measured {
  readonly what: string;
  readonly by: ReadonlyMap<number, { readonly service: Figures; readonly bare: Figures | null }>;
  readonly sql: Figures | null;
}

const WARM_UP_SECONDS = 0.5;

/** Measures a profile against the service, its SQL alone, and the same bytes from a bare route: close together, so that they meet the same machine. */
export async function measure(
  bench: Bench,
  what: string,
  profile: Profile,
  statement: (() => Statement) | null,
  connections: readonly number[] = [8, 32],
  bare = true,
): Promise<Measured> {
  const { pace, load, sql, adminKey, say, look } = bench;
  await load.ask({ keep: what, profile, adminKey });
  const round = (url: string, count: number, seconds: number) =>
    load.ask({ run: what, url, connections: count, seconds }) as Promise<Round>;
  const by = new Map<number, { service: Figures; bare: Figures | null }>();
  for (const count of connections) {
    say(`${what}, ${count} connections`);
    await round(bench.url, count, WARM_UP_SECONDS);
    const service = await several(pace.rounds, () => round(bench.url, count, pace.seconds));
    say(
      `  ${Math.round(service.rate.median)}/s, p50 ${service.p50.median.toFixed(1)} ms, p99 ${service.p99.median.toFixed(1)} ms`,
    );
    look();
    if (bare) await round(bench.bareUrl, count, WARM_UP_SECONDS / 2);
    by.set(count, {
      service,
      bare: bare
        ? await several(pace.bareRounds, () => round(bench.bareUrl, count, pace.bareSeconds))
        : null,
    });
  }
  if (!statement) return { what, by, sql: null };
  say(`${what}, SQL alone`);
  await sql.measure(WARM_UP_SECONDS, statement);
  return {
    what,
    by,
    sql: await several(pace.bareRounds, () => sql.measure(pace.bareSeconds, statement)),
  };
}

/** Measures two profiles in turn, round by round: what is compared is their difference. */
export async function compare(
  bench: Bench,
  connections: number,
  both: Readonly<
    Record<'first' | 'last', { readonly profile: Profile; readonly statement: () => Statement }>
  >,
): Promise<Record<'first' | 'last', { readonly service: Figures; readonly sql: Figures }>> {
  const { pace, load, sql, url, adminKey, say, look } = bench;
  const rounds = {
    first: { service: [] as Round[], sql: [] as Round[] },
    last: { service: [] as Round[], sql: [] as Round[] },
  };
  const ends = ['first', 'last'] as const;
  for (const end of ends) await load.ask({ keep: end, profile: both[end].profile, adminKey });
  say(`first and last pages, ${connections} connections`);
  for (const end of ends) await load.ask({ run: end, url, connections, seconds: WARM_UP_SECONDS });
  for (let index = 0; index < pace.rounds; index++) {
    // Whoever comes first may find the machine in another state: they take turns.
    for (const end of index % 2 ? ends.toReversed() : ends) {
      rounds[end].service.push(
        (await load.ask({ run: end, url, connections, seconds: pace.seconds })) as Round,
      );
      rounds[end].sql.push(await sql.measure(pace.bareSeconds, both[end].statement));
    }
  }
  look();
  const figures = (end: 'first' | 'last') => ({
    service: figuresOf(rounds[end].service),
    sql: figuresOf(rounds[end].sql),
  });
  return { first: figures('first'), last: figures('last') };
}
