import type { Area, Check, Feature } from './check.ts';
import { type Exchange, formatExchange } from './support/exchange.ts';
import { Failure } from './support/expectations.ts';
import { Skip } from './support/send.ts';
import { type Ground, World } from './support/world.ts';

export interface Result {
  readonly id: string;
  readonly area: string;
  readonly source: string;
  readonly sentence: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped or has failed; null if it passed. */
  readonly reason: string | null;
  /** What was sent and received last, where it failed. */
  readonly exchange: string | null;
}

const isSwitchedOn = (ground: Ground, feature: Feature): boolean =>
  ground.capabilities[feature]?.enabled === true;

/** Says why a check cannot be run against this installation, or null. */
function findHindrance(ground: Ground, { needs = [], admin }: Check): string | null {
  const missing = needs.filter((feature) => !isSwitchedOn(ground, feature));
  if (missing.length > 0) return `${missing.join(', ')}: switched off here`;
  if (admin && ground.adminKey === null) return 'needs --admin-key';
  return null;
}

const describeFault = (error: unknown): string => {
  if (error instanceof Failure) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.name}: ${error.message}${cause}`;
};

async function runCheck(ground: Ground, area: string, check: Check): Promise<Result> {
  const { id, source, sentence } = check;
  const build = (state: Result['state'], reason: string | null, exchange?: Exchange): Result => ({
    id,
    area,
    source,
    sentence,
    state,
    reason,
    exchange: exchange ? formatExchange(exchange) : null,
  });
  const hindrance = findHindrance(ground, check);
  if (hindrance !== null) return build('skipped', hindrance);
  const world = new World(ground);
  try {
    await check.run(world);
    return build('passed', null);
  } catch (error) {
    if (error instanceof Skip) return build('skipped', error.message);
    const exchange = error instanceof Failure ? error.exchange : null;
    return build('failed', describeFault(error), exchange ?? world.exchanges.at(-1));
  }
}

/** Whether a check is meant: by its id, its area, or the beginning of its id. */
export const isChosen = (id: string, only: readonly string[]): boolean =>
  only.length === 0 || only.some((name) => id === name || id.startsWith(`${name}.`));

/** Runs the chosen checks, several at once; the results come in the order of the checks. */
export async function runChecks(
  ground: Ground,
  areas: readonly Area[],
  options: { readonly only: readonly string[]; readonly concurrency: number },
): Promise<readonly Result[]> {
  const chosen = areas.flatMap(({ name, checks }) =>
    checks.filter(({ id }) => isChosen(id, options.only)).map((check) => ({ name, check })),
  );
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < chosen.length; at = next++) {
      const one = chosen[at];
      if (one) results[at] = await runCheck(ground, one.name, one.check);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  return results;
}
