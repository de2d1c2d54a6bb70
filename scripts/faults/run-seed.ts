import { createRandom, type SeededRandom } from '../../bench/content/varied-text.ts';
import { createCaller } from './caller.ts';
import { prepareCast } from './cast.ts';
import { checkEvents } from './checks/events.ts';
import { checkFiles, checkMessages } from './checks/messages.ts';
import { checkProofs } from './checks/receipts.ts';
import { checkClaims, checkRevisions, checkStates, checkWallets } from './checks/records.ts';
import { checkReplays } from './checks/replays.ts';
import { checkWaking } from './checks/waking.ts';
import { addCrowd, waitForFanouts } from './crowd.ts';
import type { Site } from './site.ts';
import { createMemory, type Stage } from './stage.ts';
import { waitUntilReady } from './strikes.ts';
import { comeAndGo, keepValues, revise } from './workload/change.ts';
import { earn } from './workload/earn.ts';
import { follow, lookAround, watchLog } from './workload/follow.ts';
import { recordHistory } from './workload/record-histories.ts';
import { takeRequests } from './workload/take-requests.ts';
import { talk } from './workload/talk.ts';

/** What came of a seed. */
export interface SeedResult {
  readonly calls: number;
  readonly acts: number;
  /** Attempts whose answers never came. */
  readonly lost: number;
  /** Connections that were cut. */
  readonly cuts: number;
  /** What is wrong, as sentences. */
  readonly violations: readonly string[];
}

/** Starts everybody who acts. */
function actOut(stage: Stage, seed: number): Promise<void>[] {
  const { lead, members } = stage.cast;
  const [ann, ben, cam, dan, eve] = members as [
    (typeof members)[0],
    (typeof members)[0],
    (typeof members)[0],
    (typeof members)[0],
    (typeof members)[0],
  ];
  let nr = 0;
  const as = (random: SeededRandom): Stage => ({ ...stage, random });
  const own = () => as(createRandom(seed * 1_000 + nr++));
  return [
    ...[lead, ann, ben].map((author) => talk(own(), author)),
    ...[ann, cam].map((reader) => follow(own(), reader)),
    // Two processes of one agent know nothing of each other: fences tell them apart.
    ...[cam, cam, dan, dan].map((worker) => takeRequests(own(), worker)),
    lookAround(own()),
    watchLog(own()),
    earn(own(), dan, eve),
    revise(own(), ben, ann),
    keepValues(own()),
    comeAndGo(own(), lead, eve),
  ];
}

const countCuts = ({ posts }: Site): number =>
  posts.reduce(
    (sum, { clients, database, store, receiver }) =>
      sum + clients.cuts + (database?.cuts ?? 0) + store.cuts + receiver.cuts,
    0,
  );

/** A check that cannot be made, as when a message is gone, is a violation too. */
const describeFailure = (error: unknown): string[] => [`A check could not be made: ${error}`];

/** Lets faults strike while everybody acts, and then checks what was promised. */
export async function runSeed(
  site: Site,
  seed: number,
  strike: () => Promise<void>,
): Promise<SeedResult> {
  const run = `s${seed}-${Date.now().toString(36)}`;
  const canary = `canary-${run}`;
  const urls = site.posts.map(({ url }) => url);
  const caller = createCaller(urls, canary, createRandom(seed + 1));
  const cast = await prepareCast(site, caller, run, canary);
  await addCrowd(site, cast.threads[0]?.id ?? '');
  let isOver = false;
  const random = createRandom(seed);
  const memory = createMemory();
  const stage: Stage = { caller, cast, canary, random, memory, isOver: () => isOver };
  const cutsBefore = countCuts(site);
  const recording = recordHistory(site, seed, run);
  const acting = Promise.allSettled([...actOut(stage, seed), recording]);
  try {
    await strike();
  } finally {
    isOver = true;
  }
  const violations = (await acting).flatMap((one) =>
    one.status === 'rejected' ? [`Somebody gave up: ${one.reason}`] : [],
  );
  const explain = await recording.catch(() => () => null);
  violations.push(...[explain()].filter((one) => one !== null));
  await waitUntilReady(site);
  violations.push(...(await checkWaking(stage)));
  violations.push(...(await waitForFanouts(site)));
  for (const check of [
    checkMessages,
    checkFiles,
    checkEvents,
    checkClaims,
    checkRevisions,
    checkStates,
    checkWallets,
  ])
    violations.push(...(await check(stage, urls[0] as string).catch(describeFailure)));
  violations.push(...(await checkProofs(site, stage)), ...(await checkReplays(site, stage)));
  const leaked = site.receiver.hints.filter((hint) => hint.includes(canary));
  violations.push(
    ...caller.faults,
    ...site.receiver.faults,
    ...leaked.map((hint) => `A hint showed what is private: ${hint}`),
  );
  return {
    calls: caller.counts.calls,
    acts: caller.acts.length,
    lost: caller.counts.lost,
    cuts: countCuts(site) - cutsBefore,
    violations,
  };
}
