import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Actor, startSchemes } from './world/stage.ts';
import { listRuns, type Scheme, tryScheme, type World } from './world/world.ts';

const app = await startSchemes();

/** A funded owner with a task, and an agent that may work. */
async function setUp(w: World, options: Parameters<World['postTask']>[1] = {}) {
  const [owner, worker] = (await w.createAgents(2)) as [Actor, Actor];
  await w.fund(owner, 20);
  return { owner, worker, task: await w.mustPostTask(owner, options) };
}

const schemes: Readonly<Record<string, Scheme>> = {
  async 'all slots are squatted'(w) {
    const { worker, task } = await setUp(w, { slots: 3, assignmentHours: 24 });
    const squatters = await w.createAgents(3);
    const held: string[] = [];
    for (const squatter of squatters) held.push(await w.mustTake(squatter, task));
    expect(await w.take(worker, task)).toBe(null);
    await w.pass(24);
    expect(await w.submit(squatters[0] as Actor, held[0] as string)).toBe(false);
    for (const squatter of squatters) expect(await w.take(squatter, task)).toBe(null);
    await w.mustTake(worker, task);
  },
  async 'a slot is taken and abandoned again and again'(w) {
    const { worker, task } = await setUp(w);
    expect(await w.abandon(worker, await w.mustTake(worker, task))).toBe(true);
    expect(await w.take(worker, task)).toBe(null);
    const id = await w.mustTake(await w.createAgent(), task);
    expect(await w.abandon(worker, id)).toBe(false);
  },
  async 'many take the last slot at once'(w) {
    const { task } = await setUp(w);
    const agents = await w.createAgents(6);
    const taken = await Promise.all(agents.map((agent) => w.take(agent, task)));
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
  },
  async 'an owner cancels after a submission'(w) {
    const { owner, worker, task } = await setUp(w, { slots: 2 });
    const caseId = await w.work(worker, task);
    expect(await w.cancel(owner, task)).toBe(false);
    await w.voteAll(await w.createAgents(3), caseId);
    await w.pass(72);
    expect(await w.cancel(owner, task)).toBe(false);
    expect(w.money.getAgent(worker.id).earned).toBe(5);
  },
  async 'evidence after the settlement turns a decision around'(w) {
    const { owner, worker, task } = await setUp(w);
    const jury = await w.createAgents(3);
    const caseId = await w.work(worker, task);
    await w.voteAll(jury, caseId);
    await w.pass(72);
    const { id } = (await w.must(null, 'GET', `adjudication/cases/${caseId}`)).subject;
    const piece = await w.addWorkEvidence(owner, id);
    expect(await w.openRound(owner, caseId, [piece])).toBe(true);
    expect(await w.voteAll(jury, caseId, 'rejected')).toBe(3);
    await w.pass(72);
    const { rounds } = await w.must(null, 'GET', `adjudication/cases/${caseId}`);
    expect(rounds[1]).toMatchObject({ outcome: { result: 'rejected' }, settledByRound: 1 });
    expect(w.money.getAgent(worker.id).earned).toBe(5);
  },
  async 'work is submitted when its time is over'(w) {
    const { worker, task } = await setUp(w, { hours: 48, assignmentHours: 24 });
    const id = await w.mustTake(worker, task);
    w.app.clock.advance(24 * 3600 * 1000);
    expect(await w.submit(worker, id)).toBe(false);
    expect(await w.abandon(worker, id)).toBe(false);
    await w.pass(24);
    expect(await w.take(await w.createAgent(), task)).toBe(null);
  },
  async 'work is submitted and abandoned at once'(w) {
    const { worker, task } = await setUp(w);
    const id = await w.mustTake(worker, task);
    const [submitted, abandoned] = await Promise.all([w.submit(worker, id), w.abandon(worker, id)]);
    expect([submitted, abandoned].filter(Boolean)).toHaveLength(1);
    await w.pass(1000);
  },
  async 'a slot is taken twice, with the same and with another key'(w) {
    const { worker, task } = await setUp(w, { slots: 3 });
    const key = randomUUID();
    const id = await w.take(worker, task, key);
    expect(await w.take(worker, task, key)).toBe(id);
    expect(await w.take(worker, task)).toBe(null);
    await w.pass(1000);
  },
  async 'work is submitted twice'(w) {
    const { worker, task } = await setUp(w);
    const caseId = await w.work(worker, task);
    const { id } = (await w.must(null, 'GET', `adjudication/cases/${caseId}`)).subject;
    for (let turn = 0; turn < 2; turn++) expect(await w.submit(worker, id)).toBe(false);
    await w.voteAll(await w.createAgents(3), caseId);
    await w.pass(72);
    expect(w.money.getAgent(worker.id).earned).toBe(5);
  },
  async 'the owner is blocked mid-way'(w) {
    const { owner, worker, task } = await setUp(w, { slots: 2 });
    const id = await w.mustTake(worker, task);
    await w.setBlocked(owner);
    expect(await w.take(await w.createAgent(), task)).toBe(null);
    expect(await w.submit(worker, id)).toBe(true);
    const { caseId } = await w.must(null, 'GET', `assignments/${id}`);
    await w.voteAll(await w.createAgents(3), caseId);
    await w.pass(1000);
    expect(w.money.getAgent(worker.id).earned).toBe(5);
  },
  async 'the worker is blocked mid-way'(w) {
    const { owner, worker, task } = await setUp(w);
    const id = await w.mustTake(worker, task);
    await w.setBlocked(worker);
    expect(await w.submit(worker, id)).toBe(false);
    await w.pass(1000);
    expect(w.money.getAgent(owner.id)).toMatchObject({ earned: 20, reserved: 0 });
  },
};

it.each(listRuns(schemes))('[schemes.none-gains] submitWork: %s, seed %i', (name, seed) =>
  tryScheme(app, schemes[name], seed),
);
