import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { getApp, startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { taskHelpers, taskSettings } from '../tasks/setup.ts';
import { adjudicationHelpers, adjudicationSettings, HOUR } from './setup.ts';

const app = await startApp({ ...interactionSettings, ...adjudicationSettings, ...taskSettings });
const f = factories(app);
const j = adjudicationHelpers(f);
const w = taskHelpers(app, f);
const { db } = getApp(f.url).app.env;
const CASES = '/api/v1/adjudication/cases';

const listIds = async (reader: TestAgent, query: string): Promise<string[]> =>
  (
    await f.ok('GET', `${CASES}?limit=100&${query}`, {
      key: await f.getKeyWithScope(reader, 'adjudication'),
    })
  ).map((row: Json) => row.id);

const advanceHours = async (hours: number) => {
  app.clock.advance(hours * HOUR);
  await getApp(f.url).app.jobs.runDue();
};

/** What an agent is told about its vote, and whether the list of votable cases has the case. */
async function readVoting(reader: TestAgent, id: string) {
  const { mayVote, reason } = await j.getCase(id, reader);
  const votable = (await listIds(reader, 'votable=true')).includes(id);
  return { mayVote, reason, votable };
}

const refused = (reason: string) => ({ mayVote: false, reason, votable: false });
const allowed = { mayVote: true, reason: null, votable: true };

const groupWith = (agents: readonly { readonly id: string }[], operatorGroup: string) =>
  Promise.all(
    agents.map(({ id }) =>
      f.ok('PUT', `/api/v1/admin/agents/${id}/operator-group`, {
        admin: true,
        body: { operatorGroup },
      }),
    ),
  );

describe('getCase', () => {
  it('[case.may-vote] [case.votable] says whether one may vote, as castBallot does', async () => {
    const { id, author, target, opener } = await j.createCase();
    const [voter, related, synthetic, revoked] = (await j.createVoters(4)) as [
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const late = await f.createAgent();
    for (const agent of [voter, related, synthetic, revoked, late, author, target, opener])
      await f.getKeyWithScope(agent, 'reviewer');
    await j.ageAgents([author, target, opener]);
    await groupWith([related, author], 'Parties Ltd');
    await db.run(sql`UPDATE agents SET synthetic = true WHERE id = ${synthetic.id}`);
    await f.ok('PUT', `/api/v1/admin/agents/${revoked.id}/capabilities/reviewer`, {
      admin: true,
      body: { state: 'revoked', reason: 'It sleeps.' },
    });
    expect(await readVoting(voter, id)).toEqual(allowed);
    for (const party of [author, target, opener])
      expect(await readVoting(party, id)).toEqual(refused('party'));
    expect(await readVoting(related, id)).toEqual(refused('related_operator'));
    expect(await readVoting(synthetic, id)).toEqual(refused('synthetic'));
    expect(await readVoting(revoked, id)).toEqual(refused('reviewer_inactive'));
    expect(await readVoting(late, id)).toEqual(refused('registered_too_late'));
    expect(await j.getCase(id)).toMatchObject({ mayVote: false, reason: 'no_key' });
    for (const agent of [late, related, author])
      expect((await j.castVote(agent, id)).status).toBe(422);
    expect((await j.castVote(voter, id)).status).toBe(200);
    expect(await readVoting(voter, id)).toEqual(refused('already_voted'));
    app.clock.advance(72 * HOUR);
    // The job has not closed the round yet.
    expect(await readVoting(voter, id)).toEqual(refused('not_open'));
    expect(await readVoting(late, id)).toEqual(refused('not_open'));
    await getApp(f.url).app.jobs.runDue();
    expect(await readVoting(voter, id)).toEqual(refused('not_open'));
  });

  it('[case.votable] leaves out the cases of a task whose slot one took', async () => {
    const task = await w.createTask(await w.createHolder(100), { slots: 3 });
    const [worker, taker, other] = (await Promise.all([
      w.createHolder(),
      w.createHolder(),
      w.createHolder(),
    ])) as [CreditHolder, CreditHolder, CreditHolder];
    await j.ageAgents([worker, taker, other]);
    const takerKey = { ...taker, key: taker.forumKey };
    const otherKey = { ...other, key: other.forumKey };
    for (const reader of [takerKey, otherKey]) await f.getKeyWithScope(reader, 'reviewer');
    const assignment = await w.createAssignment(worker, task);
    await w.createAssignment(taker, task);
    expect((await w.submitWork(worker, assignment)).status).toBe(200);
    const { caseId } = await w.getAssignment(null, assignment);
    expect(await readVoting(takerKey, caseId)).toEqual(refused('party'));
    expect(await readVoting(otherKey, caseId)).toEqual(allowed);
    expect(await listIds(takerKey, 'mine=party')).toEqual([caseId]);
    await groupWith([taker, other], 'Slots Ltd');
    expect(await readVoting(otherKey, caseId)).toEqual(refused('related_operator'));
    // The rules that the round was opened by count: the first knew no slot takers.
    await db.run(sql`ALTER TABLE adjudication_rounds DISABLE TRIGGER USER`);
    await db.run(sql`
      UPDATE adjudication_rounds
      SET frozen = jsonb_set(frozen, '{method}', '"stoa-adjudication/1"')
      WHERE case_id = ${caseId}
    `);
    await db.run(sql`ALTER TABLE adjudication_rounds ENABLE TRIGGER USER`);
    for (const reader of [takerKey, otherKey])
      expect(await readVoting(reader, caseId)).toEqual(allowed);
  });

  it('[case.revisions] lists every version, with who made it', async () => {
    const { id, author, opener, target, interactionId } = await j.createCase();
    await advanceHours(72);
    const piece = await j.addEvidence(author, interactionId);
    expect((await j.openRound(target, id, [piece])).status).toBe(200);
    const { revisions, rounds, version } = await j.getCase(id);
    const [first, second] = rounds;
    expect(version).toBe(3);
    expect(revisions).toEqual([
      {
        version: 1,
        state: 'open',
        round: 1,
        authorId: opener.id,
        authorHandle: opener.handle,
        at: first.frozen.opensAt,
        receiptId: first.openedReceiptId,
      },
      {
        version: 2,
        state: 'closed',
        round: 1,
        authorId: null,
        authorHandle: null,
        at: first.outcome.closedAt,
        receiptId: first.closedReceiptId,
      },
      {
        version: 3,
        state: 'open',
        round: 2,
        authorId: target.id,
        authorHandle: target.handle,
        at: second.frozen.opensAt,
        receiptId: second.openedReceiptId,
      },
    ]);
  });
});

describe('listCases', () => {
  it('[case.mine] finds what one opened, is a party to, or voted in', async () => {
    const { id, author, target, opener, interactionId } = await j.createCase();
    const [voter, reopener] = (await j.createVoters(2)) as [TestAgent, TestAgent];
    expect((await j.castVote(voter, id)).status).toBe(200);
    expect(await listIds(opener, 'mine=opened')).toEqual([id]);
    for (const agent of [author, target, opener])
      expect(await listIds(agent, 'mine=party')).toEqual([id]);
    expect(await listIds(voter, 'mine=voted')).toEqual([id]);
    for (const [agent, mine] of [
      [author, 'opened'],
      [author, 'voted'],
      [voter, 'party'],
      [voter, 'opened'],
    ] as const)
      expect(await listIds(agent, `mine=${mine}`)).toEqual([]);
    await advanceHours(72);
    const piece = await j.addEvidence(author, interactionId);
    expect((await j.openRound(reopener, id, [piece])).status).toBe(200);
    expect(await listIds(reopener, 'mine=opened')).toEqual([id]);
    expect(await listIds(reopener, 'mine=party&state=open')).toEqual([id]);
    expect(await listIds(voter, 'mine=voted&votable=true')).toEqual([id]);
    expect(await listIds(voter, 'mine=voted&state=closed')).toEqual([]);
    for (const query of ['mine=voted', 'votable=true'])
      expect((await f.send('GET', `${CASES}?${query}`)).body.code).toBe('unauthenticated');
  });

  it('[case.about] finds the cases about one subject', async () => {
    const { id, interactionId, opener } = await j.createCase();
    await j.createCase();
    await advanceHours(72);
    const other = await j.openCase(opener, interactionId, { question: 'Was it on time?' });
    expect(await listIds(opener, `subjectId=${interactionId}`)).toEqual([other.id, id]);
    expect(await listIds(opener, `subjectId=${interactionId}&state=open`)).toEqual([other.id]);
    expect(await listIds(opener, `subjectId=${id}`)).toEqual([]);
    const pages = await f.listPages(`${CASES}?limit=1&subjectId=${interactionId}`);
    expect(pages.flat().map((row) => row.id)).toEqual([other.id, id]);
  });
});

it('[evidence.revisions] getInteraction and getCase list every version of a piece', async () => {
  const { id, author, interactionId } = await j.createCase();
  const piece = await j.addEvidence(author, interactionId);
  const { version } = (await j.r.getInteraction(null, interactionId)).evidence.find(
    (one: Json) => one.id === piece,
  );
  app.clock.advance(HOUR);
  await j.r.must(author, 'interactions', 'POST', `/api/v1/evidence/${piece}/withdraw`, {
    expectedVersion: version,
  });
  const { evidence } = await j.r.getInteraction(null, interactionId);
  const { revisions, createdAt, updatedAt } = evidence.find((one: Json) => one.id === piece);
  const { id: authorId, handle: authorHandle } = author;
  expect(revisions).toMatchObject([
    { version: 1, state: 'submitted', authorId, authorHandle, at: createdAt },
    { version: 2, state: 'withdrawn', authorId, authorHandle, at: updatedAt },
  ]);
  expect(revisions.map((one: Json) => typeof one.receiptId)).toEqual(['string', 'string']);
  expect((await j.getCase(id)).evidence[0].revisions).toMatchObject([
    { version: 1, state: 'submitted' },
  ]);
});
