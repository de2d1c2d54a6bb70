import { describe, expect, inject, it } from 'vitest';
import { createRandom } from '../../../bench/content/varied-text.ts';
import { createSender } from '../../../scripts/faults/send.ts';
import { taskSettings } from '../../features/tasks/setup.ts';
import { ADMIN_KEY } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import type { Call, Model } from '../../support/linearizability.ts';
import { startService, toDatabaseUrl } from '../../support/service.ts';
import { explainFailure } from '../../support/shrink-history.ts';
import { useClaims } from './use-claims.ts';
import { useCounters } from './use-counters.ts';
import { useGuestContext } from './use-guest-context.ts';
import { useIdempotencyKeys } from './use-idempotency-keys.ts';
import { useInvitations } from './use-invitations.ts';
import { useMemberships } from './use-memberships.ts';
import { useOffers } from './use-offers.ts';
import { useRecords } from './use-records.ts';
import type { Ground } from './workload.ts';

/** Given by SEED, so that the clients want the same again; when they meet is up to chance. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const TURNS = 30;
/** Fewer, because each takes a lease of five seconds and more. */
const REQUESTS = 20;

const connection = await createDatabase(inject('server'));
const env = { ...taskSettings, DATABASE_URL: toDatabaseUrl(connection), LOAD_LIMITS: 'off' };
const urls = (await Promise.all([startService(env), startService(env)])).map(({ url }) => url);

/** One of so many calls whose answer was dropped is not repeated. */
const ABANDON_ONE_OF = 4;

const buildGround = (number: number, turns = TURNS, abandonOneOf = ABANDON_ONE_OF): Ground => ({
  sender: createSender(urls, createRandom(2 * SEED + number), abandonOneOf),
  adminKey: ADMIN_KEY,
  turns,
  random: createRandom(2 * SEED + number + 1_000),
});

/** Checks a history that has answers, refusals and calls without an answer in it. */
function expectOrder<State, Operation extends { outcome: unknown }>(
  calls: readonly Call<Operation>[],
  model: Model<State, Operation>,
): void {
  expect(calls.length).toBeGreaterThan(100);
  expect(
    new Set(calls.map(({ operation }) => JSON.stringify(operation.outcome))).size,
  ).toBeGreaterThan(5);
  expect(explainFailure(calls, model), `SEED=${SEED}`).toBeNull();
}

describe.concurrent('two nodes on one database', () => {
  it('[proof.histories] answer about guest contexts as to one caller', async () => {
    const { calls, model } = await useGuestContext(buildGround(1));
    expectOrder(calls, model);
  });
  it('[proof.histories] [read.one-moment] answer about memberships as to one caller', async () => {
    const { calls, model } = await useMemberships(buildGround(2));
    expectOrder(calls, model);
  });
  it('[proof.histories] answer about invitations as to one caller', async () => {
    const { calls, model } = await useInvitations(buildGround(3));
    expectOrder(calls, model);
  });
  it('[proof.histories] answer about idempotency keys as to one caller', async () => {
    const { calls, model } = await useIdempotencyKeys(buildGround(4));
    expectOrder(calls, model);
  });
  it('[proof.histories] answer about counters as to one caller', async () => {
    const { calls, model } = await useCounters(buildGround(5));
    expectOrder(calls, model);
  });
  it('[proof.histories] [read.one-moment] answer about records as to one caller', async () => {
    const { calls, model } = await useRecords(buildGround(6));
    expectOrder(calls, model);
  });
  it('[proof.histories] answer about offers as to one caller', async () => {
    const { calls, model } = await useOffers(buildGround(7));
    expectOrder(calls, model);
  });
  it('[proof.histories] answer about claims as to one caller', async () => {
    // Workers go on until they know that each request is answered, so they always ask again.
    const ground = buildGround(8, REQUESTS, Infinity);
    const { calls, model } = await useClaims(ground, urls[0] as string);
    expect(calls.length).toBeGreaterThan(2 * REQUESTS);
    expect(explainFailure(calls, model), `SEED=${SEED}`).toBeNull();
  });
});
