import { expect, it } from 'vitest';
import { type Actor, HOUR, startSchemes } from './world/stage.ts';
import { listRuns, type Scheme, tryScheme, type World } from './world/world.ts';

const app = await startSchemes();

async function createEnrolled(w: World, count: number, group: string | null = null) {
  const made = await w.createAgents(count, { group });
  for (const actor of made) expect(await w.enroll(actor)).toBe(true);
  return made;
}
const trial = (reward: number, slots = 1) => ({ isTrial: true, reward, slots });

const schemes: Readonly<Record<string, Scheme>> = {
  // Within its limits a grant pays whom it is asked to pay, so the corpus only counts.
  async 'a grant is drained within its limits'(w) {
    await w.createGrant(60, { perOperator: 20 });
    const [owner, worker, ...ring] = (await createEnrolled(w, 6)) as [Actor, Actor, ...Actor[]];
    const caseId = await w.work(worker, await w.mustPostTask(owner, trial(20)));
    await w.voteAll(ring, caseId);
    await w.pass(72);
    expect(w.money.getAgent(worker.id).earned).toBe(20);
  },
  async 'a grant is drained by two agents of one operator'(w) {
    await w.createGrant(100, { perOperator: 30 });
    const [one, two] = (await createEnrolled(w, 2, 'Pump')) as [Actor, Actor];
    await w.mustPostTask(one, trial(20));
    expect(await w.postTask(two, trial(11))).toBe(null);
    await w.mustPostTask(two, trial(10));
    expect(await w.postTask(one, trial(1))).toBe(null);
  },
  async 'a grant is drained by many tasks at once'(w) {
    await w.createGrant(100, { perTask: 10, perOperator: 25, perDay: 40 });
    const agents = await createEnrolled(w, 3);
    const made = await Promise.all(
      [...agents, ...agents, ...agents].map((owner) => w.postTask(owner, trial(9))),
    );
    expect(made.filter((one) => one !== null)).toHaveLength(4);
    expect(await w.postTask(agents[0] as Actor, trial(6, 2))).toBe(null);
  },
  async 'a grant is drained around midnight'(w) {
    await w.createGrant(100, { perDay: 30 });
    const [owner] = (await createEnrolled(w, 1)) as [Actor];
    w.app.clock.advance(24 * HOUR - (w.now % (24 * HOUR)) - 1);
    await w.mustPostTask(owner, trial(30));
    expect(await w.postTask(owner, trial(1))).toBe(null);
    w.app.clock.advance(1);
    await w.mustPostTask(owner, trial(30));
    expect(await w.postTask(owner, trial(1))).toBe(null);
  },
  async 'tasks are cancelled and posted again'(w) {
    await w.createGrant(100, { perOperator: 30 });
    const [owner] = (await createEnrolled(w, 1)) as [Actor];
    for (let turn = 0; turn < 4; turn++)
      expect(await w.cancel(owner, await w.mustPostTask(owner, trial(30)))).toBe(true);
    await w.mustPostTask(owner, trial(30));
    expect(await w.postTask(owner, trial(1))).toBe(null);
  },
  async 'an owner is paid by a second agent of its operator'(w) {
    await w.createGrant(100);
    const [owner, second] = (await createEnrolled(w, 2, 'Same')) as [Actor, Actor];
    const task = await w.mustPostTask(owner, trial(20));
    expect(await w.take(second, task)).toBe(null);
    expect(await w.take(owner, task)).toBe(null);
  },
  async 'trial units become earned ones by refused work'(w) {
    await w.createGrant(100);
    const [owner, worker, ...jury] = (await createEnrolled(w, 5)) as [Actor, Actor, ...Actor[]];
    const caseId = await w.work(worker, await w.mustPostTask(owner, trial(25, 2)), false);
    await w.voteAll(jury, caseId, 'rejected');
    await w.pass(1000);
    expect(w.money.getAgent(owner.id)).toMatchObject({ trial: 100, earned: 0, reserved: 0 });
  },
  async 'more is posted than there is'(w) {
    const [owner] = (await w.createAgents(1)) as [Actor];
    await w.fund(owner, 20);
    await w.createGrant(1000);
    expect(await w.postTask(owner, trial(5))).toBe(null);
    const posts = Array.from({ length: 5 }, () => w.postTask(owner, { reward: 4, slots: 2 }));
    expect((await Promise.all(posts)).filter((one) => one !== null)).toHaveLength(2);
  },
  async 'an agent enrols again with a rotated and a recovered key'(w) {
    const { agent, apiKey } = await w.must(null, 'POST', 'agents', { handle: `twice-${w.now}` });
    const rotated = await w.must({ id: agent.id, key: apiKey }, 'POST', 'me/keys/rotate');
    const scoped = async (key: string) => ({
      id: agent.id as string,
      key: (await w.must({ id: agent.id, key }, 'POST', 'me/keys', { scopes: ['credits'] })).apiKey,
    });
    await w.administer('PUT', `agents/${agent.id}/capabilities/credits`, { state: 'active' });
    w.adopt(agent.id);
    expect(await w.enroll(await scoped(rotated.apiKey))).toBe(true);
    expect(await w.enroll(await scoped(rotated.apiKey))).toBe(false);
    const path = `agents/${agent.id}/recovery`;
    const recovered = await w.administer('POST', path, { reason: 'Lost its keys.' });
    expect(await w.enroll(await scoped(recovered.apiKey))).toBe(false);
  },
};

it.each(listRuns(schemes))('[schemes.none-gains] createTask: %s, seed %i', (name, seed) =>
  tryScheme(app, schemes[name], seed),
);
