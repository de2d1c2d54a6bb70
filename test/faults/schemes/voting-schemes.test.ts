import { expect, it } from 'vitest';
import { startSchemes } from './world/stage.ts';
import { listRuns, type Scheme, tryScheme, type World } from './world/world.ts';

const app = await startSchemes();

/** A funded owner with a task, and agents that may judge its work. */
async function setUp(w: World, { slots = 1, voters = 3 } = {}) {
  const owner = await w.createAgent();
  await w.fund(owner, 5 * slots);
  const task = await w.mustPostTask(owner, { slots });
  return { owner, task, jury: await w.createAgents(voters) };
}

const schemes: Readonly<Record<string, Scheme>> = {
  async 'young Sybils outvote the jury'(w) {
    const { task, jury } = await setUp(w);
    const caseId = await w.work(await w.createAgent(), task, false);
    const sybils = await w.createAgents(5, { hours: 23 });
    expect(await w.voteAll(sybils, caseId)).toBe(0);
    await w.voteAll(jury, caseId, 'rejected');
    await w.pass(72);
  },
  async 'Sybils of one known operator outvote the jury'(w) {
    const { task, jury } = await setUp(w);
    const caseId = await w.work(await w.createAgent(), task, false);
    await w.voteAll(await w.createAgents(5, { group: 'Mill' }), caseId);
    await w.voteAll(jury, caseId, 'rejected');
    await w.pass(72);
    expect((await w.must(null, 'GET', `adjudication/cases/${caseId}`)).result).toBe('rejected');
  },
  // Nothing tells these from honest agents: the corpus only holds them to what votes give.
  async 'old Sybils of unknown operators outvote the jury'(w) {
    const { task, jury } = await setUp(w);
    const caseId = await w.work(await w.createAgent(), task, false);
    await w.voteAll(await w.createAgents(4), caseId);
    await w.voteAll(jury, caseId, 'rejected');
    await w.pass(72);
    expect((await w.must(null, 'GET', `adjudication/cases/${caseId}`)).result).toBe('upheld');
  },
  async 'takers of one task uphold each other'(w) {
    const { task } = await setUp(w, { slots: 4 });
    const ring = await w.createAgents(4);
    const cases: string[] = [];
    for (const agent of ring) cases.push(await w.work(agent, task));
    for (const caseId of cases) expect(await w.voteAll(ring, caseId)).toBe(0);
    await w.pass(72);
  },
  async 'voters take a slot of the task afterwards'(w) {
    const { task } = await setUp(w, { slots: 4 });
    const [worker, ...ring] = await w.createAgents(4);
    if (!worker) throw new Error('There is no worker.');
    const caseId = await w.work(worker, task);
    expect(await w.voteAll(ring, caseId)).toBe(3);
    for (const voter of ring) await w.mustTake(voter, task);
    await w.pass(72);
    expect((await w.must(null, 'GET', `adjudication/cases/${caseId}`)).result).toBe('inconclusive');
  },
  async 'the operator of the worker votes'(w) {
    const { task } = await setUp(w);
    const [worker, ...ring] = await w.createAgents(4, { group: 'Works' });
    if (!worker) throw new Error('There is no worker.');
    const caseId = await w.work(worker, task);
    expect(await w.voteAll(ring, caseId)).toBe(0);
    await w.pass(72);
  },
  async 'an operator becomes known after its ballots'(w) {
    const { task, jury } = await setUp(w);
    const caseId = await w.work(await w.createAgent(), task, false);
    const ring = await w.createAgents(4);
    await w.voteAll(ring, caseId);
    for (const voter of ring) await w.setGroup(voter, 'Late');
    await w.voteAll(jury, caseId, 'rejected');
    await w.pass(72);
    expect((await w.must(null, 'GET', `adjudication/cases/${caseId}`)).result).toBe('rejected');
  },
  async 'voters are blocked before the round closes'(w) {
    const { task, jury } = await setUp(w);
    const caseId = await w.work(await w.createAgent(), task);
    await w.voteAll(jury, caseId, 'rejected');
    for (const voter of jury.slice(1)) await w.setBlocked(voter);
    await w.pass(72);
    expect((await w.must(null, 'GET', `adjudication/cases/${caseId}`)).result).toBe('inconclusive');
  },
  async 'a quorum is starved, and newcomers decide the next round'(w) {
    const { task } = await setUp(w);
    const worker = await w.createAgent();
    const caseId = await w.work(worker, task);
    await w.voteAll(await w.createAgents(3), caseId, 'insufficient_evidence');
    const newcomers = await w.createAgents(4, { hours: 23 });
    await w.pass(72);
    const { id } = (await w.must(null, 'GET', `adjudication/cases/${caseId}`)).subject;
    const piece = await w.addWorkEvidence(worker, id);
    expect(await w.openRound(worker, caseId, [piece])).toBe(true);
    expect(await w.voteAll(newcomers, caseId)).toBe(0);
    await w.pass(72);
    expect((await w.must(null, 'GET', `assignments/${id}`)).state).toBe('unresolved');
  },
  async 'one votes twice, and changes its mind'(w) {
    const { task, jury } = await setUp(w, { voters: 2 });
    const [first] = jury;
    if (!first) throw new Error('There is no voter.');
    const caseId = await w.work(await w.createAgent(), task);
    await w.voteAll(jury, caseId);
    for (const verdict of ['upheld', 'rejected'] as const)
      expect(await w.vote(first, caseId, verdict)).toBe(false);
    await w.pass(72);
  },
};

it.each(listRuns(schemes))('[schemes.none-gains] castBallot: %s, seed %i', (name, seed) =>
  tryScheme(app, schemes[name], seed),
);
