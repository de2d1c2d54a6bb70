import { expect, it } from 'vitest';
import { type Actor, startSchemes } from './world/stage.ts';
import { listRuns, type Scheme, tryScheme, type World } from './world/world.ts';

const app = await startSchemes();

/** A delivery about which a jury has decided. */
async function decide(w: World, author: Actor, target: Actor, verdict: 'upheld' | 'rejected') {
  const jury = await w.createAgents(3);
  const id = await w.recordDelivery(author, target);
  const caseId = await w.mustOpenCase(await w.createAgent(), id);
  expect(await w.voteAll(jury, caseId, verdict)).toBe(3);
  await w.pass(72);
  return { id, caseId, jury };
}

const getFinding = async (w: World, id: string) =>
  (await w.must(null, 'GET', `interactions/${id}`)).finding;

const schemes: Readonly<Record<string, Scheme>> = {
  async 'a decided case is opened again without evidence'(w) {
    const [author, target] = (await w.createAgents(2)) as [Actor, Actor];
    const { id } = await decide(w, author, target, 'rejected');
    expect(await w.openCase(author, id)).toBe(null);
    expect(await w.openCase(target, id, 'Is the sky green?')).toBe(null);
  },
  async 'a decided case is starved with evidence'(w) {
    const [author, target] = (await w.createAgents(2)) as [Actor, Actor];
    const { id, caseId } = await decide(w, author, target, 'rejected');
    for (let turn = 0; turn < 2; turn++) {
      expect(await w.openRound(target, caseId, [await w.addEvidence(target, id)])).toBe(true);
      await w.pass(72);
    }
    expect(await getFinding(w, id)).toBe('rejected');
  },
  async 'cases flood an interaction'(w) {
    const [author, target, ...others] = (await w.createAgents(6)) as [Actor, Actor];
    const id = await w.recordDelivery(author, target);
    const made: (string | null)[] = [];
    for (const opener of [author, target, ...others]) made.push(await w.openCase(opener, id));
    expect(made.filter((one) => one !== null)).toHaveLength(1);
    await w.pass(72);
  },
  async 'rounds are opened at once with one piece of evidence'(w) {
    const [author, target] = (await w.createAgents(2)) as [Actor, Actor];
    const { id, caseId } = await decide(w, author, target, 'upheld');
    const piece = await w.addEvidence(target, id);
    const opened = await Promise.all(
      [target, author, target].map((opener) => w.openRound(opener, caseId, [piece])),
    );
    expect(opened.filter(Boolean)).toHaveLength(1);
    await w.pass(72);
    expect(await w.openRound(target, caseId, [piece])).toBe(false);
  },
  async 'a question is turned around'(w) {
    const [author, target, ...jury] = (await w.createAgents(5)) as [Actor, Actor, ...Actor[]];
    const id = await w.recordDelivery(author, target);
    const caseId = await w.mustOpenCase(target, id, 'Is this report false?');
    const { asks } = await w.must(null, 'GET', `adjudication/cases/${caseId}`);
    expect(asks).toBe('Did it happen as version 1 of the interaction says?');
    await w.voteAll(jury, caseId, 'rejected');
    await w.pass(72);
    expect(await getFinding(w, id)).toBe('rejected');
  },
  async 'an author withdraws what was rejected'(w) {
    const [author, target] = (await w.createAgents(2, { group: 'Pair' })) as [Actor, Actor];
    const { id, caseId } = await decide(w, author, target, 'rejected');
    expect(await w.withdraw(author, id)).toBe(true);
    expect(await getFinding(w, id)).toBe('rejected');
    expect(await w.openCase(author, id)).toBe(null);
    expect((await w.must(null, 'GET', `adjudication/cases/${caseId}`)).result).toBe('rejected');
  },
  async 'agents of unknown operators praise one another'(w) {
    const ring = (await w.createAgents(4)) as Actor[];
    for (const [index, author] of ring.entries())
      await decide(w, author, ring[(index + 1) % 4] as Actor, 'upheld');
  },
  async 'many agents of one operator praise an agent'(w) {
    const target = await w.createAgent();
    const ring = await w.createAgents(4, { group: 'Choir' });
    for (const author of ring) await decide(w, author, target, 'upheld');
    expect(w.judging.findReputation(target.id)).toEqual({ knownIndependent: 1, value: null });
  },
  async 'the operator of an agent praises it, among others'(w) {
    const target = await w.createAgent({ group: 'Home' });
    for (const group of ['Home', 'One', 'Two'])
      await decide(w, await w.createAgent({ group }), target, 'upheld');
    expect(w.judging.findReputation(target.id)).toEqual({ knownIndependent: 2, value: null });
    await decide(w, await w.createAgent({ group: 'Three' }), target, 'upheld');
    expect(w.judging.findReputation(target.id)?.value).toBe(0.438503);
  },
  async 'authors of praise are blocked'(w) {
    const target = await w.createAgent();
    const authors: Actor[] = [];
    for (const group of ['Red', 'Green', 'Blue']) authors.push(await w.createAgent({ group }));
    for (const author of authors) await decide(w, author, target, 'upheld');
    await w.setBlocked(authors[0] as Actor);
    expect(w.judging.findReputation(target.id)).toEqual({ knownIndependent: 2, value: null });
  },
};

it.each(listRuns(schemes))('[schemes.none-gains] openCase: %s, seed %i', (name, seed) =>
  tryScheme(app, schemes[name], seed),
);
