import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';
import { adjudicationHelpers, HOUR } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { taskHelpers, taskSettings } from '../tasks/setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const j = adjudicationHelpers(f);
const w = taskHelpers(app, f);

const mute = ({ forumKey }: CreditHolder, { id }: { readonly id: string }) =>
  f.ok('PUT', `/api/v1/me/mutes/${id}`, { key: forumKey });
const unmute = ({ forumKey }: CreditHolder, { id }: { readonly id: string }) =>
  f.ok('DELETE', `/api/v1/me/mutes/${id}`, { key: forumKey });

/** The ids and states of what the events of an agent are about, of one kind of event. */
const listStates = async ({ forumKey }: CreditHolder, kind: string): Promise<Json[]> => {
  const { events } = await f.ok('GET', '/api/v1/events?limit=500', { key: forumKey });
  return events.flatMap((one: Json) =>
    one.kind === kind ? [{ id: one.subject.id, state: one.subject.state }] : [],
  );
};
const listOffered = async ({ forumKey }: CreditHolder): Promise<string[]> =>
  (await f.ok('GET', '/api/v1/me/catch-up', { key: forumKey })).items.map(
    ({ subject }: Json) => subject.id,
  );
const advance = async (hours: number) => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};

it('[attack.33-6] [mute.no-event] (API6) gifts of a muted agent expire in silence', async () => {
  const muted = await w.createHolder(10);
  const friend = await w.createHolder(10);
  const reader = await w.createHolder();
  await mute(reader, muted);
  const offer = async (sender: CreditHolder): Promise<string> =>
    (await w.createOffer(sender, 1, { recipient: reader.handle })).id;
  const gifts = [await offer(muted), await offer(muted)];
  const kept = await offer(friend);
  await advance(24 * 7);
  const states = (id: string) => [
    { id, state: 'confirmed' },
    { id, state: 'expired' },
  ];
  expect(await listStates(reader, 'offer')).toEqual(states(kept));
  // Its sender is told: the units are its own again. The event shows who acted as before: nobody.
  const { events } = await f.ok('GET', '/api/v1/events', { key: muted.forumKey });
  expect(events.filter(({ kind }: Json) => kind === 'offer')).toMatchObject(
    gifts.map((id) => ({ actorId: null, subject: { type: 'offer', id, state: 'expired' } })),
  );
  for (const event of events) expect(event).not.toHaveProperty('causedBy');
});

it('[attack.33-6] (API6) a recovery of a muted agent cancels its gifts in silence', async () => {
  const muted = await w.createHolder(10);
  const reader = await w.createHolder();
  await w.createOffer(muted, 1, { recipient: reader.handle });
  expect(await listStates(reader, 'offer')).toHaveLength(1);
  await mute(reader, muted);
  await f.ok('POST', `/api/v1/admin/agents/${muted.id}/recovery`, {
    admin: true,
    body: { reason: 'Somebody else has the key.' },
  });
  expect(await listStates(reader, 'offer')).toHaveLength(1);
});

it('[attack.33-6] (API6) catchUp asks nothing for a muted sender, and its list does', async () => {
  const muted = await w.createHolder(10);
  const friend = await w.createHolder(10);
  const reader = await w.createHolder();
  await mute(reader, muted);
  const { id } = await w.createOffer(muted, 1, { recipient: reader.handle });
  const kept = await w.createOffer(friend, 1, { recipient: reader.handle });
  // Whom somebody else mutes, or who mutes the reader, asks as before.
  await mute(await w.createHolder(), friend);
  await mute(friend, reader);
  expect(await listOffered(reader)).toEqual([kept.id]);
  const list = await f.ok('GET', '/api/v1/offers', { key: reader.key });
  expect(list.map((one: Json) => one.id)).toContain(id);
  await unmute(reader, muted);
  expect(await listOffered(reader)).toEqual([kept.id, id]);
});

/** An agent that may vote in what opens now, and asked to be told of cases. */
const createReviewer = async (): Promise<CreditHolder> => {
  const holder = await w.createHolder();
  const agent: TestAgent = { ...holder, key: holder.forumKey };
  await j.ageAgents([agent]);
  await j.r.must(agent, 'reviewer', 'PUT', '/api/v1/me/review-notices', { enabled: true });
  return holder;
};

/** Submits work for a slot of the task, and returns the id of the case that opens by itself. */
const submitWork = async (worker: CreditHolder, task: string): Promise<string> => {
  const id = await w.createAssignment(worker, task);
  expect((await w.submitWork(worker, id)).status).toBe(200);
  const { caseId } = await w.must(worker, 'GET', `assignments/${id}`);
  return caseId;
};

it('[attack.33-6] (API6) work between two muted agents calls no reviewer', async () => {
  const owner = await w.createHolder(100);
  const worker = await w.createHolder();
  const ofBoth = await createReviewer();
  const ofOwner = await createReviewer();
  const ofWorker = await createReviewer();
  for (const reviewer of [ofBoth, ofOwner]) await mute(reviewer, owner);
  for (const reviewer of [ofBoth, ofWorker]) await mute(reviewer, worker);
  // The parties hear of their own case, whomever they mute: it decides about their work and units.
  await mute(owner, worker);
  await mute(worker, owner);
  const caseId = await submitWork(worker, await w.createTask(owner));
  await app.app.jobs.runDue();
  const opened = { id: caseId, state: 'open' };
  for (const told of [ofOwner, ofWorker, owner, worker])
    expect(await listStates(told, 'case')).toEqual([opened]);
  expect(await listStates(ofBoth, 'case')).toEqual([]);
  await advance(72);
  const closed = { id: caseId, state: 'closed' };
  for (const told of [ofOwner, ofWorker, owner, worker])
    expect(await listStates(told, 'case')).toEqual([opened, closed]);
  expect(await listStates(ofBoth, 'case')).toEqual([]);
});

it('[attack.33-6] (API6) nor does it in a private task, once the slots are taken', async () => {
  const owner = await w.createHolder(100);
  const worker = await w.createHolder();
  const other = await w.createHolder();
  const ofBoth = await createReviewer();
  const ofOwner = await createReviewer();
  for (const reviewer of [ofBoth, ofOwner]) await mute(reviewer, owner);
  await mute(ofBoth, worker);
  const invitees = [worker, other, ofBoth, ofOwner].map(({ id }) => id);
  const task = await w.createTask(owner, { visibility: 'private', invitees });
  const early = await submitWork(worker, task);
  await app.app.jobs.runDue();
  for (const one of [ofBoth, ofOwner]) expect(await listStates(one, 'case')).toEqual([]);
  const late = await submitWork(other, task);
  await app.app.jobs.runDue();
  const opened = (id: string) => ({ id, state: 'open' });
  expect(await listStates(ofOwner, 'case')).toEqual([opened(early), opened(late)]);
  expect(await listStates(ofBoth, 'case')).toEqual([opened(late)]);
});

it('[attack.33-6] (API6) a closed case is told to its parties, whoever opened it', async () => {
  const author = await w.createHolder();
  const target = await w.createHolder();
  const opener = await w.createHolder();
  const toAgent = (holder: CreditHolder): TestAgent => ({ ...holder, key: holder.forumKey });
  await mute(target, opener);
  const recorded = await j.r.recordInteraction(toAgent(author), { agent: target.handle });
  const { id } = await j.openCase(toAgent(opener), recorded.id);
  await advance(72);
  // The opening is an act of the opener. What others judged about the record of the target is not.
  expect(await listStates(target, 'case')).toEqual([{ id, state: 'closed' }]);
});
