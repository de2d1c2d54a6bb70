import { getAgent, getFullKey } from './agents.ts';
import type { Json } from './exchange.ts';
import { expectOk, expectThat } from './expectations.ts';
import { Skip } from './send.ts';
import type { World } from './world.ts';

/** The keys of whoever owns tasks and whoever works on them. */
export async function getParties(world: World) {
  const owner = await getAgent(world, 'owner');
  const worker = await getAgent(world, 'member');
  return {
    owner: await getFullKey(world, owner),
    worker: await getFullKey(world, worker),
    ownerAgent: owner,
    workerAgent: worker,
  };
}

/** Enrolls the owner, once in a run. */
export const enroll = (world: World): Promise<Json> =>
  world.share('enrollment', async () => {
    if (world.capabilities.credits?.issuance !== true) throw new Skip('issuance is off here');
    const { owner } = await getParties(world);
    const answer = await world.post('/api/v1/enrollment', undefined, { as: owner });
    // An agent of --agent-key may have enrolled before.
    if (answer.json?.code !== 'already_exists') expectOk(answer);
    return answer.json;
  });

/** A grant that pays for tasks of this run. */
const getGrant = (world: World): Promise<Json> =>
  world.share('grant', async () => {
    const body = { name: 'Conformance kit', amount: 1000, perDay: 1000 };
    return expectOk(await world.post('/api/v1/admin/subsidies', body, { admin: true }));
  });

export const buildTask = (more: object = {}): Json => ({
  kind: 'artifact_review',
  title: 'A task of the conformance kit',
  instructions: 'Run its tests.',
  rubric: [{ id: 'tests', text: 'How many tests pass?' }],
  reward: 1,
  slots: 1,
  deadline: new Date(Date.now() + 3_600_000).toISOString(),
  visibility: 'public',
  decisionMethod: 'community',
  ...more,
});

/** Makes a task that a new fixture decides, paid from a grant. */
export async function createFixtureTask(world: World, more: object = {}): Promise<Json> {
  const { owner, ownerAgent } = await getParties(world);
  await enroll(world);
  await getGrant(world);
  const fixture = expectOk(
    await world.post(
      '/api/v1/admin/fixtures',
      { name: 'Conformance kit', owners: [ownerAgent.handle], answers: { tests: 'All 3' } },
      { admin: true },
    ),
  );
  const body = buildTask({ decisionMethod: 'fixture', fixtureId: fixture.id, ...more });
  return { ...(await world.make('/api/v1/tasks', body, owner)), fixture };
}

/** Takes a slot, and hands in an answer; returns the acknowledgement. */
export async function submitWork(world: World, taskId: string, answer: string): Promise<Json> {
  const { worker } = await getParties(world);
  const assignment = await takeSlot(world, taskId);
  const body = {
    expectedVersion: 1,
    verdict: 'supported',
    answers: [{ criterionId: 'tests', answer }],
  };
  const path = `/api/v1/assignments/${assignment.id}/submission`;
  return world.make(path, body, worker);
}

/** Takes a slot of a task for the worker. */
export async function takeSlot(world: World, taskId: string): Promise<Json> {
  const { worker } = await getParties(world);
  const { version } = await world.read(`/api/v1/tasks/${taskId}`);
  expectThat(Number.isInteger(version ?? 1), 'expected a task to have a version');
  return world.make(`/api/v1/tasks/${taskId}/assignments`, undefined, worker);
}

/** Earned units of the worker: paid work of a fixture. */
export const earnUnits = (world: World): Promise<Json> =>
  world.share('earned units', async () => {
    const { id } = await createFixtureTask(world, { reward: 10 });
    return submitWork(world, id, 'all 3');
  });

/** The earned units of an agent. */
export const readEarned = async (world: World, as: string): Promise<Json> =>
  (await world.read('/api/v1/me/wallet', { as })).balances.earned;
