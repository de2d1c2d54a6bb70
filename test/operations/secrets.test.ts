import { join, raw } from 'sql-template-tag';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import { callTool, toArguments, toHeaders } from '../edges/mcp/mcp-client.ts';
import { adjudicationHelpers, CASES, HOUR } from '../features/adjudication/setup.ts';
import { externalSubject, interactionHelpers } from '../features/interactions/setup.ts';
import { taskHelpers } from '../features/tasks/setup.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import {
  createContextKey,
  factories,
  type RequestOptions,
  type TestAgent,
} from '../support/factories.ts';
import { makeValidCall } from './cases.ts';
import { callOperation, createFixture, getUsualScope, registry } from './fixture.ts';
import { createFixturePool } from './fixture-pool.ts';

/** Stands in everything that the author notes about trust, and nowhere else. */
const NOTED = 'xylograph';
/** Stands in ballots of rounds that are open, and nowhere else. */
const VOTED = 'sphygmograph';
/**
 * Is the answer of a fixture whose task is not closed, and stands in the work that was paid by it.
 */
const FIXED = 'ombrograph';
const SECRETS = new RegExp(`${NOTED}|${VOTED}|${FIXED}`, 'i');

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const r = interactionHelpers(f);
const j = adjudicationHelpers(f);
const fixture = await createFixture(f);
const getFixture = createFixturePool(f);

const author = await f.createAgent();
await f.joinRoom(author, fixture.publicRoom);
const trustInput = { context: NOTED, note: `Never trust the ${NOTED}.`, level: -2 };
for (const target of [
  { agent: fixture.owner.handle },
  externalSubject(`${NOTED}.example`, 'domain'),
  externalSubject(NOTED, 'model'),
]) {
  await r.recordTrust(author, { target, ...trustInput });
  await r.recordTrust(author, { target, ...trustInput, level: 2, expectedVersion: 1 });
}
await r.recordTrust(author, {
  target: externalSubject(NOTED, 'model'),
  ...trustInput,
  expectedVersion: 2,
  state: 'revoked',
});

// A second later than what calls of the walk open and close themselves.
app.clock.advance(1000);
const { id: caseId, interactionId, opener, author: recorder } = await j.createCase();
const voters = (await j.createVoters(3)) as [TestAgent, TestAgent, TestAgent];
for (const [index, verdict] of (['upheld', 'rejected', 'insufficient_evidence'] as const).entries())
  await j.castVote(voters[index] as TestAgent, caseId, verdict, { rationale: `It is a ${VOTED}.` });
app.clock.advance(-1000);

const w = taskHelpers(app, f);
const taskOwner = await w.createHolder(10);
const worker = await w.createHolder();
const answers = { tests: `The ${FIXED}`, answer: FIXED };
const taskId = await w.createTask(taskOwner, {
  decisionMethod: 'fixture',
  fixtureId: (await w.createAnswerFixture(taskOwner, answers)).id,
  deadline: w.until(24 * HOUR),
});
const assignmentId = await w.createAssignment(worker, taskId);
const work = {
  verdict: 'supported',
  answers: Object.entries(answers).map(([criterionId, answer]) => ({
    criterionId,
    answer,
    note: FIXED,
  })),
};
expect((await w.submitWork(worker, assignmentId, work)).body).toMatchObject({ state: 'paid' });
const [voter] = voters;

/** Lets the round of the case and the task come to their ends. */
const closeEverything = async () => {
  app.clock.advance(73 * HOUR);
  await app.app.jobs.runDue();
};

const ownTrustOperations = ['recordTrust', 'listMyTrust'];
const named = registry.map((operation) => ({ name: operation.name, operation }));

describe('what is noted about trust, and what is voted while a round is open', () => {
  it('[trust.private] is read by the author of the note', async () => {
    expect(await r.listMyTrust(author, '?history=true')).toHaveLength(7);
    expect(JSON.stringify(await r.listMyTrust(author))).toContain(NOTED);
  });

  it.for(named)(
    '[trust.private] [ballot.hidden] [fixtures.hidden] $name shows it to nobody',
    async ({ name, operation }) => {
      const here = isMutation(operation) ? await getFixture(name) : fixture;
      const { input, as } = await makeValidCall(name, here, f);
      const callers: RequestOptions[] = [{}, { admin: true }, { context: createContextKey() }];
      const agents = [
        here.owner,
        voter,
        opener,
        { ...taskOwner, key: taskOwner.forumKey },
        ...(ownTrustOperations.includes(name) ? [] : [author]),
      ];
      for (const agent of agents)
        callers.push({ key: await f.getKeyWithScope(agent, getUsualScope(operation)) });
      const answers: string[] = [];
      const callAndCheck = async (options: RequestOptions, what = input) => {
        const { text, headers } = await callOperation(app.url, operation, what, options);
        answers.push(text, JSON.stringify([...headers]));
      };
      await callAndCheck(as);
      // What a mutation did once it does not do again; what it answers then is of interest too.
      for (const caller of callers)
        if (!isMutation(operation) || caller.key === undefined) await callAndCheck(caller);
      // The very case or task, and what it is about, under whatever name.
      if (operation.path.includes('{id}') && operation.method === 'GET')
        for (const id of [caseId, interactionId, taskId, assignmentId])
          for (const caller of callers)
            await callAndCheck(caller, { ...input, params: { ...input.params, id } });
      if (operation.tool && operation.kind === 'call' && !isMutation(operation))
        for (const caller of [as, ...callers])
          answers.push(
            JSON.stringify(
              await callTool(
                app.url,
                operation.tool,
                toArguments(operation, input),
                toHeaders(caller),
              ).catch(String),
            ),
          );
      for (const answer of answers) expect(answer).not.toMatch(SECRETS);
    },
  );

  it('[trust.private] [ballot.hidden] [fixtures.hidden] is in no list', async () => {
    await app.app.jobs.runDue();
    const reviewer = await f.getKeyWithScope(voter, 'reviewer');
    for (const options of [
      ...[
        {},
        { admin: true },
        { key: fixture.owner.key },
        { key: author.key },
        { key: await f.getKeyWithScope(author, 'interactions') },
      ],
      ...[{ key: voter.key }, { key: opener.key }, { key: recorder.key }, { key: reviewer }],
    ])
      for (const path of [
        ...[
          `search?q=${NOTED}`,
          `search?q=${VOTED}`,
          `search?q=${FIXED}`,
          'tasks',
          `interactions?context=${NOTED}`,
          `interactions?author=${author.handle}`,
        ],
        ...[
          `interactions?target=${fixture.owner.handle}`,
          'me/events',
          'events',
          'admin/audit',
          `adjudication/cases/${caseId}`,
          'adjudication/cases?state=open',
        ],
      ]) {
        const { text } = await f.send('GET', `/api/v1/${path}`, options);
        expect(text.replaceAll(/"query":"\w+"/g, ''), path).not.toMatch(SECRETS);
      }
    for (const type of ['domain', 'model']) {
      const value = type === 'model' ? NOTED : `${NOTED}.example`;
      expect(
        (await f.send('GET', `/api/v1/subjects?type=${type}&value=${value}`, { admin: true }))
          .status,
      ).toBe(404);
    }
  });

  it('[ballot.hidden] a case with votes looks like one without', async () => {
    const quiet = await j.createCase();
    const getBody = async (id: string, options: RequestOptions = {}) =>
      (await f.send('GET', `${CASES}/${id}`, options)).text.replaceAll(
        /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|agent-\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g,
        '',
      );
    for (const options of [{}, { admin: true }])
      expect(await getBody(caseId, options)).toBe(await getBody(quiet.id, options));
    // A voter learns only that it has voted.
    const told = '"mayVote":false,"reason":"already_voted"';
    const key = await f.getKeyWithScope(voter, 'reviewer');
    const body = await getBody(caseId, { key });
    expect(body).toContain(told);
    const voting = /"mayVote":\w+,"reason":"?\w+"?/;
    const quietBody = await getBody(quiet.id, { key });
    expect(body.replace(voting, '')).toBe(quietBody.replace(voting, ''));
    for (const agent of [opener, recorder]) {
      const { events } = await f.ok('GET', '/api/v1/me/events', { key: agent.key });
      expect(JSON.stringify(events)).not.toMatch(/ballot/);
    }
  });

  it('[trust.private] [ballot.hidden] [fixtures.hidden] is in no log', async () => {
    expect(app.logs.join('\n')).not.toMatch(SECRETS);
    expect(app.logs.length).toBeGreaterThan(0);
    for (const path of [
      '/metrics',
      '/',
      '/openapi.json',
      '/llms.txt',
      '/sitemap.xml',
      '/healthz',
      '/readyz',
      '/interactions',
      '/claims',
      '/agents',
      '/adjudication',
    ])
      expect(
        (
          await f
            .send('GET', path, { admin: true })
            .catch((error: Error) => ({ text: error.message }))
        ).text,
        path,
      ).not.toMatch(SECRETS);
    const { db } = app.app.env;
    const tables = await db.rows<{ name: string }>(sql`
      SELECT tablename AS name
      FROM pg_tables
      WHERE schemaname = 'public'
    `);
    const listTablesContaining = async (secret: string) => {
      // Answers are kept as bytes, which a row as text shows in hexadecimal.
      const plain = `%${secret}%`;
      const hex = `%${Buffer.from(secret).toString('hex')}%`;
      const parts = tables.map(
        ({ name }) =>
          sql`
            SELECT ${name}::text AS name
            WHERE EXISTS (
              SELECT 1
              FROM ${raw(name)} t
              WHERE t::text ILIKE ${plain} OR t::text ILIKE ${hex}
            )
          `,
      );
      return (await db.rows<{ name: string }>(join(parts, ' UNION ALL ')))
        .map(({ name }) => name)
        .sort();
    };
    expect(await listTablesContaining(NOTED)).toEqual([
      'idempotency_records',
      'record_revisions',
      'trust_records',
    ]);
    expect(await listTablesContaining(VOTED)).toEqual(['adjudication_ballots']);
    expect(await listTablesContaining(FIXED)).toEqual(['fixtures', 'record_revisions']);
  });

  it('[ballot.public] everybody reads the ballots once the round is closed', async () => {
    await closeEverything();
    expect((await f.send('GET', `${CASES}/${caseId}`)).text).toContain(VOTED);
    expect((await f.send('GET', `/api/v1/search?q=${VOTED}`)).text).toContain(caseId);
  });

  it('[fixtures.hidden] everybody reads the answers once the task is closed', async () => {
    expect((await w.getAssignment(worker, assignmentId)).submission.answers[1].answer).toBe(FIXED);
    await closeEverything();
    for (const path of [`tasks/${taskId}`, `assignments/${assignmentId}`])
      expect((await f.send('GET', `/api/v1/${path}`)).text, path).toContain(FIXED);
  });
});
