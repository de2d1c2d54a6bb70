import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { compareReputation } from '../../../src/cli/reputation.ts';
import { buildClientConfig } from '../../../src/db/client-config.ts';
import { reputation as migration } from '../../../src/db/migrations/0014-reputation.ts';
import { reputationByOperator } from '../../../src/db/migrations/0019-reputation-by-operator.ts';
import { lastingFindings } from '../../../src/db/migrations/0027-lasting-findings.ts';
import { findings } from '../../../src/db/migrations/0031-findings.ts';
import { runMigration } from '../../../src/db/run-migration.ts';
import { sql } from '../../../src/db/sql.ts';
import { repair } from '../../../src/features/reputation/derived-tables.store.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { runCommand, toDatabaseUrl } from '../../support/service.ts';
import { adjudicationSettings, HOUR } from '../adjudication/setup.ts';
import { externalSubject, interactionSettings } from '../interactions/setup.ts';
import { reputationHelpers, reputationSettings } from './setup.ts';

const app = await startApp({
  ...interactionSettings,
  ...adjudicationSettings,
  ...reputationSettings,
});
const f = factories(app);
const p = await reputationHelpers(f);
const { j, r } = p;
const { db } = app.app.env;

const insufficient = { state: 'insufficient_evidence', value: null, interval: null };
const none = { collaboration: 0, delivery: 0, review: 0, transaction: 0, incident: 0, other: 0 };
const listDifferences = async () =>
  (await compareReputation(db)).map(({ differences }) => differences);

/** Creates three agents, each of an operator of its own. */
const createThree = (name: string) =>
  runConcurrently(3, (n) => p.createAgentOf(`${name} ${n}`)) as Promise<
    [TestAgent, TestAgent, TestAgent]
  >;

describe('getReputation', () => {
  it('[reputation.projection] has all members of the contract, for anyone', async () => {
    const author = await f.createAgent();
    const target = await f.createAgent();
    const { createdAt } = await r.recordInteraction(
      author,
      { agent: target.handle },
      { kind: 'review', context: 'code' },
    );
    const expected = {
      kind: 'agent',
      id: target.id,
      context: null,
      method: 'wilson-lb/2',
      score: insufficient,
      counts: {
        interactions: { ...none, review: 1 },
        findings: { upheld: 0, rejected: 0, inconclusive: 0 },
      },
      operators: { knownIndependent: 0, unknown: 0, threshold: 3, upheld: 0, rejected: 0 },
      recentFindings: [],
      asOf: createdAt,
      disclaimer: expect.stringContaining('no evidence of misconduct'),
    };
    expect(await p.getReputation(target)).toEqual(expected);
    for (const options of [{ key: target.key }, { admin: true }])
      expect(await f.ok('GET', p.address('agent', target.id), options)).toEqual(expected);
    const { headers } = await p.requestReputation('agent', target.id);
    expect(
      (
        await f.send('GET', p.address('agent', target.id), {
          headers: { 'if-none-match': headers.get('etag') ?? '' },
        })
      ).status,
    ).toBe(304);
    // The subject of an agent has the agent's id.
    expect((await p.requestReputation('subject', target.id)).body).toEqual({
      ...expected,
      kind: 'subject',
    });
    expect((await p.requestReputation('agent', target.id.toUpperCase())).body).toEqual(expected);
  });

  it('[reputation.projection] covers external subjects too', async () => {
    const { subjectId } = await r.recordInteraction(
      await f.createAgent(),
      externalSubject('npm/reputed', 'package'),
      {
        kind: 'incident',
      },
    );
    expect((await p.requestReputation('subject', subjectId)).body).toMatchObject({
      kind: 'subject',
      id: subjectId,
      counts: { interactions: { ...none, incident: 1 } },
    });
    expect(await p.requestReputation('agent', subjectId)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
  });

  it('[reputation.links] is linked from subjects and the page of an agent', async () => {
    const target = await f.createAgent();
    const getPage = async () =>
      (await f.send('GET', `/agents/${target.handle}`, { headers: { accept: 'text/html' } })).text;
    expect(await getPage()).toContain('nothing public is recorded');
    const [a, b, c] = await createThree('Links');
    const { subjectId } = await r.recordInteraction(a, externalSubject('npm/linked', 'package'));
    await p.createFindings(target, [a], [b]);
    expect(await getPage()).toContain(
      `<a href="/api/v1/reputation/agent/${target.id}">insufficient evidence: 2 of 3 known ` +
        'independent operators</a>',
    );
    await p.createFindings(target, [c]);
    expect(await getPage()).toContain('0.438503, from 3 known independent operators');
    for (const path of [
      `/api/v1/subjects/${subjectId}`,
      '/api/v1/subjects?type=package&value=npm/linked',
      `/api/v1/subjects/${target.id}`,
    ]) {
      const { id, reputationUrl } = await f.ok('GET', path);
      expect(reputationUrl).toBe(`${f.url}/api/v1/reputation/subject/${id}`);
      expect((await f.ok('GET', new URL(reputationUrl).pathname)).id).toBe(id);
    }
    expect((await f.send('GET', `/claims?subjectId=${subjectId}`)).text).toContain(
      `/api/v1/reputation/subject/${subjectId}`,
    );
  });

  it('[reputation.projection] rejects anything else as a target', async () => {
    const { id } = await f.createAgent();
    for (const path of [
      `room/${id}`,
      'agent/ada',
      `agent/${id}?context=`,
      `agent/${id}?context=A`,
      `agent/${id}?context=${'a'.repeat(65)}`,
      `agent/${id}?more=1`,
    ])
      expect(await f.send('GET', `/api/v1/reputation/${path}`), path).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
  });

  it('[reputation.not-found] is not_found without public records and proves nothing', async () => {
    const [author, target, withdrawn] = (await runConcurrently(3, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const { subjectId: hidden } = await r.recordInteraction(
      author,
      externalSubject('npm/hidden', 'package'),
      {
        visibility: 'private',
      },
    );
    await r.recordInteraction(author, { agent: target.handle }, { visibility: 'private' });
    const { id } = await r.recordInteraction(author, { agent: withdrawn.handle });
    expect((await p.requestReputation('agent', withdrawn.id)).status).toBe(200);
    await r.reviseInteraction(author, id, { expectedVersion: 1, state: 'withdrawn' });
    for (const [kind, of] of [
      ['agent', target.id],
      ['subject', target.id],
      ['subject', hidden],
      ['agent', withdrawn.id],
      ['agent', app.app.env.newId()],
    ] as const) {
      const answer = await f.send('GET', p.address(kind, of), { key: author.key });
      expect(answer).toMatchObject(buildProblem(404, 'not_found'));
      expect(answer.body.detail).toContain('no evidence of misconduct');
    }
  });

  it('[reputation.counts] counts public records unless withdrawn, of any author', async () => {
    const [author, other, target] = (await runConcurrently(3, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const at = { agent: target.handle };
    const first = await r.recordInteraction(author, at, { kind: 'delivery' });
    await r.recordInteraction(other, at, { kind: 'delivery' });
    await r.recordInteraction(other, at, { kind: 'incident', visibility: 'private' });
    await p.createFindings(
      target,
      [author, 'upheld', { kind: 'review' }],
      [author, 'rejected'],
      [other, null],
      [other, 'upheld'],
    );
    const before = {
      interactions: { ...none, delivery: 5, review: 1 },
      findings: { upheld: 2, rejected: 1, inconclusive: 1 },
    };
    expect((await p.getReputation(target)).counts).toEqual(before);
    await r.reviseInteraction(author, first.id, {
      expectedVersion: 1,
      summary: 'Said in other words.',
    });
    expect((await p.getReputation(target)).counts).toEqual(before);
    const { recentFindings } = await p.getReputation(target);
    const upheld = recentFindings
      .filter(({ result }: { result: string }) => result === 'upheld')
      .map(({ interactionId }: { interactionId: string }) => interactionId);
    for (const id of [first.id, ...upheld]) {
      const { version, authorId } = await r.getInteraction(null, id);
      expect(
        (
          await r.reviseInteraction(authorId === author.id ? author : other, id, {
            expectedVersion: version,
            state: 'withdrawn',
          })
        ).status,
      ).toBe(200);
    }
    const after = await p.getReputation(target);
    expect(after.counts).toEqual({
      interactions: { ...none, delivery: 3 },
      findings: before.findings,
    });
    expect(after.recentFindings).toEqual(recentFindings);
    expect(after.operators).toMatchObject({ unknown: 2 });
  });

  it('[reputation.withdrawn] keeps decided findings when interactions are withdrawn', async () => {
    const [target, undecided] = (await runConcurrently(2, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
    ];
    const three = await createThree('Withdrawn');
    const withdraw = async (author: TestAgent, id: string) => {
      const { version } = await r.getInteraction(null, id);
      const change = { expectedVersion: version, state: 'withdrawn' };
      expect((await r.reviseInteraction(author, id, change)).status).toBe(200);
    };
    for (const author of three) {
      const { id } = await p.createJudgedInteraction(author, { agent: target.handle });
      // The first is withdrawn while its round is open, which goes on over what was frozen.
      if (author === three[0]) await withdraw(author, id);
      else await j.closeDueCases().then(() => withdraw(author, id));
    }
    const open = await p.createJudgedInteraction(three[0], { agent: undecided.handle }, null);
    await j.closeDueCases();
    expect((await p.getReputation(undecided)).counts.findings.inconclusive).toBe(1);
    await withdraw(three[0], open.id);
    expect((await p.requestReputation('agent', undecided.id)).status).toBe(404);

    const { counts, operators, score, recentFindings, asOf } = await p.getReputation(target);
    expect(counts).toEqual({
      interactions: none,
      findings: { upheld: 3, rejected: 0, inconclusive: 0 },
    });
    expect({ operators, value: score.value }).toMatchObject({
      operators: { knownIndependent: 3, upheld: 3, rejected: 0 },
      value: 0.438503,
    });
    expect(recentFindings).toHaveLength(3);
    expect(asOf).toBe(recentFindings[0].closedAt);
    const { finding, state } = await r.getInteraction(null, recentFindings[0].interactionId);
    expect({ finding, state }).toEqual({ finding: 'upheld', state: 'withdrawn' });
    const { reputationUrl } = await f.ok('GET', `/api/v1/subjects/${target.id}`);
    expect((await f.send('GET', new URL(reputationUrl).pathname)).status).toBe(200);
    expect((await f.ok('GET', `/api/v1/subjects/${undecided.id}`)).reputationUrl).toBeNull();
    expect(await listDifferences()).toEqual([0, 0, 0, 0]);
  });

  it('[reputation.incident] an upheld incident speaks against, a rejected one not', async () => {
    const target = await f.createAgent();
    const [a, b, c] = await createThree('Incident');
    const incident = { kind: 'incident' };
    await p.createFindings(
      target,
      [a, 'upheld', incident],
      [b, 'upheld', incident],
      [c, 'rejected', incident],
    );
    expect(await p.getReputation(target)).toMatchObject({
      counts: { interactions: { incident: 3 }, findings: { upheld: 2, rejected: 1 } },
      operators: { knownIndependent: 2, upheld: 0, rejected: 2, unknown: 0 },
      score: insufficient,
    });
    await p.createFindings(target, [c, 'upheld', incident]);
    expect(await p.getReputation(target)).toMatchObject({
      operators: { knownIndependent: 3, upheld: 0, rejected: 3 },
      score: { state: 'scored', value: 0, interval: { lower: 0, upper: 0.561497 } },
    });
    await p.createFindings(target, [c], [c]);
    expect(await p.getReputation(target)).toMatchObject({
      operators: { knownIndependent: 3, upheld: 1, rejected: 2 },
      score: { value: 0.061492 },
    });
    const unknown = await f.createAgent();
    await p.createFindings(unknown, [await f.createAgent(), 'rejected', incident]);
    expect((await p.getReputation(unknown)).operators.unknown).toBe(0);
    expect(await listDifferences()).toEqual([0, 0, 0, 0]);
  });

  it('[reputation.context] covers one context, or all together', async () => {
    const target = await f.createAgent();
    const [a, b, c] = await createThree('Contexts');
    const code = { context: 'code', kind: 'review' };
    const ops = { context: 'ops' };
    // A wins in one context, and both contexts together are undecided.
    await p.createFindings(
      target,
      [a, 'upheld', code],
      [a, 'rejected', ops],
      [b, 'upheld', code],
      [c, 'upheld', ops],
    );
    expect(await p.getReputation(target)).toMatchObject({
      context: null,
      counts: { interactions: { review: 2, delivery: 2 } },
      operators: { knownIndependent: 2 },
    });
    expect(await p.getReputation(target, 'code')).toMatchObject({
      context: 'code',
      counts: { interactions: { review: 2, delivery: 0 } },
      operators: { knownIndependent: 2 },
    });
    expect((await p.getReputation(target, 'code')).recentFindings).toHaveLength(2);
    expect(await p.getReputation(target, 'ops')).toMatchObject({
      counts: { findings: { upheld: 1, rejected: 1 } },
      operators: { knownIndependent: 2 },
    });
    expect(await p.getReputation(target, 'nothing')).toMatchObject({
      counts: { interactions: none },
      score: insufficient,
      recentFindings: [],
      asOf: null,
    });
  });

  it('[reputation.threshold] [reputation.wilson] scores from three operators on', async () => {
    const target = await f.createAgent();
    const [a, b, c] = await createThree('Threshold');
    await p.createFindings(target, [a], [b]);
    expect(await p.getReputation(target)).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 2, unknown: 0 },
    });
    await p.createFindings(target, [c]);
    expect((await p.getReputation(target)).score).toEqual({
      state: 'scored',
      value: 0.438503,
      interval: { lower: 0.438503, upper: 1 },
    });
    await p.createFindings(target, [c, 'rejected'], [c, 'rejected']);
    expect((await p.getReputation(target)).score).toEqual({
      state: 'scored',
      value: 0.20766,
      interval: { lower: 0.20766, upper: 0.938508 },
    });
  });

  it('[reputation.majority] takes the majority of an operator, and a tie as nothing', async () => {
    const target = await f.createAgent();
    const [a, b, c] = await createThree('Majority');
    await p.createFindings(target, [a], [b], [c], [c, 'rejected']);
    expect(await p.getReputation(target)).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 2 },
    });
    await p.createFindings(target, [c, null]);
    expect(await p.getReputation(target)).toMatchObject({ score: insufficient });
    await p.createFindings(target, [c]);
    expect(await p.getReputation(target)).toMatchObject({
      score: { state: 'scored', value: 0.438503 },
      operators: { knownIndependent: 3 },
    });
  });

  it('[reputation.superseded] takes the result of the round that decided last', async () => {
    const target = await f.createAgent();
    const [a, b, c] = await createThree('Superseded');
    await p.createFindings(target, [a], [b]);
    const { id, caseId } = await p.createJudgedInteraction(c, { agent: target.handle });
    await j.closeDueCases();
    const readFigures = async () =>
      (({ counts, score, recentFindings: [newest] }) => [
        counts.findings.upheld,
        counts.findings.rejected,
        score.state,
        newest,
      ])(await p.getReputation(target));
    const finding = { caseId, interactionId: id };
    expect(await readFigures()).toMatchObject([3, 0, 'scored', finding]);
    const piece = await j.addEvidence(c, id);
    app.clock.advance(HOUR);
    expect((await j.openRound(p.opener, caseId, [piece])).status).toBe(200);
    expect(await readFigures()).toMatchObject([3, 0, 'scored', { ...finding, result: 'upheld' }]);
    await p.castVotes(caseId, 'rejected');
    await j.closeDueCases();
    expect(await readFigures()).toMatchObject([2, 1, 'scored', { ...finding, result: 'rejected' }]);
    // This is another question about the same target, which nobody answers: it decides nothing.
    app.clock.advance(HOUR);
    await j.addEvidence(c, id);
    const { version } = await r.getInteraction(null, id);
    const decided = await readFigures();
    const { id: other } = await j.openCase(p.opener, id, { expectedVersion: version });
    await j.closeDueCases();
    expect((await j.getCase(other)).result).toBe('inconclusive');
    expect(await readFigures()).toEqual(decided);
    expect((await r.getInteraction(null, id)).finding).toBe('rejected');
  });

  it('[reputation.excluded] ignores blocked and synthetic authors while they are so', async () => {
    const target = await f.createAgent();
    const [a, b, c] = await createThree('Excluded');
    await p.createFindings(target, [a], [b], [c]);
    const before = await p.requestReputation('agent', target.id);
    for (const exclude of [p.setBlocked, p.setSynthetic]) {
      await exclude(c, true);
      const during = await p.getReputation(target);
      expect(during).toMatchObject({
        score: insufficient,
        operators: { knownIndependent: 2, unknown: 0 },
      });
      expect(during.counts).toEqual(before.body.counts);
      await exclude(c, false);
      expect((await p.requestReputation('agent', target.id)).text).toBe(before.text);
    }
  });

  it('[reputation.recent] shows the newest 20 findings, the newest first', async () => {
    const author = await f.createAgent();
    const target = await f.createAgent();
    await p.createFindings(target, ...Array.from({ length: 11 }, () => [author, null] as const));
    app.clock.advance(HOUR);
    await p.createFindings(target, ...Array.from({ length: 11 }, () => [author, null] as const));
    const { recentFindings, counts } = await p.getReputation(target);
    expect(counts.findings.inconclusive).toBe(22);
    expect(recentFindings).toHaveLength(20);
    const times = recentFindings.map(({ closedAt }: { closedAt: string }) => closedAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect({
      size: new Set(times).size,
      length: times.filter((time: string) => time === times[0]).length,
    }).toEqual({ size: 2, length: 11 });
    for (const { caseId, interactionId, result, closedAt } of recentFindings.slice(0, 2)) {
      const { subject, state, rounds } = await j.getCase(caseId);
      expect({
        id: subject.id,
        state,
        result: rounds[0].outcome.result,
        closedAt: rounds[0].outcome.closedAt,
      }).toEqual({ id: interactionId, state: 'closed', result, closedAt });
    }
  });

  it('[reputation.as-of] is as recent as the records that it was computed from', async () => {
    const target = await f.createAgent();
    const [a, b] = await createThree('As of');
    const { id, createdAt } = await r.recordInteraction(a, { agent: target.handle });
    expect((await p.getReputation(target)).asOf).toBe(createdAt);
    app.clock.advance(HOUR);
    const second = await r.recordInteraction(b, { agent: target.handle });
    expect((await p.getReputation(target)).asOf).toBe(second.createdAt);
    await r.reviseInteraction(b, second.id, { expectedVersion: 1, state: 'withdrawn' });
    expect((await p.getReputation(target)).asOf).toBe(createdAt);
    const { id: caseId } = await j.openCase(p.opener, id);
    await p.castVotes(caseId, 'upheld');
    await j.closeDueCases();
    const { asOf, recentFindings } = await p.getReputation(target);
    expect(asOf).toBe(recentFindings[0].closedAt);
    app.clock.advance(100 * HOUR);
    await p.setOperatorGroup(a, 'As of another');
    expect((await p.getReputation(target)).asOf).toBe(new Date(app.clock()).toISOString());
  });
});

describe('[reputation.sybil] getReputation does not raise a score', () => {
  it('[reputation.once] for many agents of one known operator', async () => {
    const target = await f.createAgent();
    const many = await runConcurrently(8, () => p.createAgentOf('Mill'));
    await p.createFindings(target, ...many.map((agent) => [agent] as const));
    expect(await p.getReputation(target)).toMatchObject({
      score: insufficient,
      counts: { findings: { upheld: 8 } },
      operators: { knownIndependent: 1, unknown: 0 },
    });
    const [a, b] = await createThree('Beside a mill');
    await p.createFindings(target, [a], [b]);
    const scored = await p.getReputation(target);
    expect(scored.score.value).toBe(0.438503);
    await p.createFindings(
      target,
      ...(await runConcurrently(4, () => p.createAgentOf('Mill'))).map((agent) => [agent] as const),
    );
    expect((await p.getReputation(target)).score).toEqual(scored.score);
  });

  it('[reputation.unknown] for many agents of unknown operators, whatever they claim', async () => {
    const target = await f.createAgent();
    const many = await runConcurrently(8, () => f.createAgent());
    await runConcurrently(3, (n) =>
      r.claimIdentity(many[n] as TestAgent, (many[n] as TestAgent).id, {
        claim: 'operator',
        value: `Operator ${n}`,
      }),
    );
    await p.createFindings(target, ...many.map((agent) => [agent] as const));
    expect(await p.getReputation(target)).toMatchObject({
      score: insufficient,
      counts: { findings: { upheld: 8 } },
      operators: { knownIndependent: 0, unknown: 8 },
    });
    const [a, b, c] = await createThree('Beside unknown');
    await p.createFindings(target, [a], [b], [c, 'rejected']);
    expect(await p.getReputation(target)).toMatchObject({
      score: { state: 'scored', value: 0.20766 },
      operators: { knownIndependent: 3, unknown: 8 },
    });
  });

  it('for rings of agents that praise each other', async () => {
    const [a, b, c] = await createThree('Circle');
    const unknown = (await runConcurrently(4, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const recordPraise = (members: readonly TestAgent[]) =>
      Promise.all(
        members.flatMap((author) =>
          members
            .filter((one) => one !== author)
            .map((one) => r.recordInteraction(author, { agent: one.handle })),
        ),
      );
    // Praise alone is worth nothing, even by known operators.
    await recordPraise([a, b, c, ...unknown]);
    for (const member of [a, unknown[0]])
      expect(await p.getReputation(member)).toMatchObject({
        score: insufficient,
        operators: { knownIndependent: 0, unknown: 0 },
      });
    // Findings of a ring of unknown operators, or of one known operator, count for nothing either.
    await p.createFindings(unknown[0], ...unknown.slice(1).map((agent) => [agent] as const));
    expect(await p.getReputation(unknown[0])).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 0, unknown: 3 },
    });
    for (const agent of unknown) await p.setOperatorGroup(agent, 'One circle');
    expect(await p.getReputation(unknown[0])).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 0, unknown: 0 },
    });
  });

  it('[reputation.related] for agents of the operator of the target', async () => {
    const target = await p.createAgentOf('Own');
    const [a, b] = await createThree('Beside its own');
    const own = await runConcurrently(3, () => p.createAgentOf('Own'));
    await p.createFindings(target, [a], [b], ...own.map((agent) => [agent] as const));
    expect(await p.getReputation(target)).toMatchObject({
      score: insufficient,
      counts: { findings: { upheld: 5 } },
      operators: { knownIndependent: 2, unknown: 0 },
    });
    // They belong to another operator once the target does.
    await p.setOperatorGroup(target, 'Sold');
    expect(await p.getReputation(target)).toMatchObject({
      score: { state: 'scored' },
      operators: { knownIndependent: 3 },
    });
  });
});

describe('stored reputation', () => {
  it('[reputation.groups] follows what becomes known about an author, and back', async () => {
    const author = await f.createAgent();
    const targets = await runConcurrently(5, () => f.createAgent());
    for (const target of targets)
      await p.createFindings(
        target,
        [author],
        [author, 'rejected', { context: 'ops' }],
        [author, 'upheld', { context: 'ops' }],
      );
    const listAnswers = async () =>
      (await Promise.all(targets.map((target) => p.requestReputation('agent', target.id)))).map(
        ({ text }) => text,
      );
    const before = await listAnswers();
    const steps: readonly (readonly [
      change: () => Promise<unknown>,
      knownIndependent: number,
      unknown: number,
    ])[] = [
      [() => p.setOperatorGroup(author, 'Found out'), 1, 0],
      [() => p.setOperatorGroup(author, 'Found out again'), 1, 0],
      [() => p.setBlocked(author, true), 0, 0],
      [() => p.setSynthetic(author, true), 0, 0],
      [() => p.setBlocked(author, false), 0, 0],
      [() => p.setSynthetic(author, false), 1, 0],
      [() => p.setOperatorGroup(author, null), 0, 1],
    ];
    for (const [change, knownIndependent, unknown] of steps) {
      await change();
      for (const target of targets)
        expect((await p.getReputation(target)).operators).toMatchObject({
          knownIndependent,
          unknown,
        });
      expect(await listDifferences()).toEqual([0, 0, 0, 0]);
    }
    expect(await listAnswers()).toEqual(before);
  });

  it('[reputation.groups] follows a finding of the same moment on any node', async () => {
    const other = await reputationHelpers(factories(await app.startNode()));
    for (let round = 0; round < 4; round++) {
      const [author, target] = (await runConcurrently(2, () => f.createAgent())) as [
        TestAgent,
        TestAgent,
      ];
      await runConcurrently(3, (n) =>
        p.createJudgedInteraction(author, { agent: target.handle }, n > 0 ? 'upheld' : 'rejected'),
      );
      const withdrawn = await r.recordInteraction(author, { agent: target.handle });
      await Promise.all([
        j.closeDueCases(),
        p.setOperatorGroup(author, `At once ${round}`),
        other.setSynthetic(author, round % 2 === 0),
        r.reviseInteraction(author, withdrawn.id, { expectedVersion: 1, state: 'withdrawn' }),
        other.setOperatorGroup(author, `At once again ${round}`),
      ]);
      const { counts, operators } = await p.getReputation(target);
      expect(counts.findings).toMatchObject({ upheld: 2, rejected: 1 });
      expect(operators).toMatchObject({ knownIndependent: round % 2, unknown: 0 });
    }
    expect(await listDifferences()).toEqual([0, 0, 0, 0]);
  });

  it('[reputation.bounded] needs a few rows for a read, whatever its history', async () => {
    const target = await f.createAgent();
    await p.createFindings(target, [await p.createAgentOf('Bounded')]);
    const countRows = async () =>
      (
        await db.first<{
          count: number;
        }>(sql`
          SELECT (
            SELECT count(*)
            FROM reputation_counts
            WHERE subject_id = ${target.id} AND context = ''
          ) + (
            SELECT count(*)
            FROM reputation_operators o
            JOIN operator_groups g ON g.name = o.operator
            WHERE o.subject_id = ${target.id} AND o.context = '' AND g.agent_id = ${target.id}
          ) AS count
        `)
      )?.count;
    const few = await countRows();
    await p.createFindings(
      target,
      ...(await runConcurrently(6, (n) => p.createAgentOf(n % 2 ? `Bounded ${n}` : null))).map(
        (author) => [author] as const,
      ),
    );
    expect((await p.getReputation(target)).operators).toMatchObject({
      knownIndependent: 4,
      unknown: 3,
    });
    // There is one more row: that unknown operators exist.
    expect(await countRows()).toBe((few ?? 0) + 1);
  });

  describe('the migrations', () => {
    const listStoredEntries = (client: pg.Client) =>
      client
        .query(`SELECT row_to_json(e)::text AS row
          FROM reputation_entries e
          UNION ALL
          SELECT row_to_json(c)::text
          FROM reputation_counts c
          WHERE count <> 0
          UNION ALL
          SELECT row_to_json(a)::text
          FROM reputation_authors a
          WHERE upheld + rejected <> 0
          UNION ALL
          SELECT row_to_json(o)::text
          FROM reputation_operators o
          WHERE agents <> 0
          ORDER BY 1`)
        .then(({ rows }) => rows);

    /** Brings the tables to what they were before the last of these migrations. */
    const goBack = (client: pg.Client) =>
      client.query(`BEGIN;
        DROP INDEX agents_silent, interactions_public, interactions_public_in_context;
        DROP VIEW reputation_entries_anew, reputation_standing CASCADE;
        DROP TABLE reputation_entries, reputation_counts, reputation_authors,
          reputation_operators CASCADE;
        DROP FUNCTION reputation_came, reputation_went, reputation_changed,
          reputation_recorded, reputation_withdrawn, reputation_found,
          reputation_voice, reputation_side, reputation_lock, reputation_hold,
          reputation_restand CASCADE;
        ${migration};
        ${reputationByOperator};
        ${lastingFindings};
        DELETE FROM migrations WHERE id = 31;
        COMMIT`);

    const migrate = (client: pg.Client) =>
      runMigration(client, { id: 31, name: 'findings', sql: findings });

    const withClient = async (work: (client: pg.Client) => Promise<void>) => {
      const client = new pg.Client(buildClientConfig(db.connection));
      await client.connect();
      await work(client).finally(() => client.end());
    };

    it('[reputation.filled] fill them from what existed before', () =>
      withClient(async (client) => {
        const before = await listStoredEntries(client);
        expect(before.length).toBeGreaterThan(100);
        await goBack(client);
        expect(await listStoredEntries(client)).not.toEqual(before);
        await migrate(client);
        expect(await listStoredEntries(client)).toEqual(before);
        expect(await listDifferences()).toEqual([0, 0, 0, 0]);
      }));

    it('[reputation.filled] break off anywhere and go on', () =>
      withClient(async (client) => {
        const before = await listStoredEntries(client);
        for (let steps = 1; steps < findings.length; steps++) {
          await goBack(client);
          await runMigration(client, { id: -1, name: 'part', sql: findings.slice(0, steps) });
          await client.query('DELETE FROM migrations WHERE id = -1');
          await migrate(client);
          expect(await listStoredEntries(client)).toEqual(before);
        }
      }));

    it('[reputation.filled] count what is recorded, withdrawn and judged meanwhile', () =>
      withClient(async (client) => {
        const author = await p.createAgentOf('Meanwhile');
        const target = await f.createAgent();
        const about = { agent: target.handle };
        const judged = await runConcurrently(12, (n) =>
          p.createJudgedInteraction(author, about, n % 2 ? 'upheld' : 'rejected', {
            kind: n % 3 ? 'delivery' : 'incident',
          }),
        );
        const withdraw = (id: string) =>
          p.r.reviseInteraction(author, id, { expectedVersion: 1, state: 'withdrawn' });
        await runConcurrently(4, (n) => withdraw(judged[n]?.id ?? ''));
        await goBack(client);
        let isOver = false;
        const write = async () => {
          while (!isOver) await withdraw((await p.r.recordInteraction(author, about)).id);
        };
        const writing = runConcurrently(3, write);
        const closing = p.j.closeDueCases();
        await migrate(client).finally(() => {
          isOver = true;
        });
        await Promise.all([writing, closing]);
        expect((await p.getReputation(target)).counts.findings).toMatchObject({ inconclusive: 0 });
        expect(await listDifferences()).toEqual([0, 0, 0, 0]);
      }));
  });

  it('[reputation.command] compares and repairs it while others record', async () => {
    expect(await listDifferences()).toEqual([0, 0, 0, 0]);
    const [author, target, other] = (await runConcurrently(3, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const made = await runConcurrently(6, () =>
      r.recordInteraction(author, { agent: target.handle }),
    );
    const whole = (await p.requestReputation('agent', target.id)).text;
    for (const damage of [
      sql`DELETE FROM reputation_entries WHERE interaction_id = ${made[0]?.id}`,
      sql`
        UPDATE reputation_counts
        SET count = count + 1
        WHERE subject_id = ${target.id}
      `,
      sql`DELETE FROM reputation_counts WHERE subject_id = ${target.id}`,
      sql`INSERT INTO reputation_authors VALUES (${target.id}, '', ${author.id}, 3, 0)`,
      sql`INSERT INTO reputation_operators VALUES (${target.id}, '', 'Nobody', 1, 3, 0)`,
      sql`INSERT INTO reputation_counts VALUES (${target.id}, '', 'known_upheld', 3)`,
      sql`
        UPDATE reputation_entries
        SET kind = 'incident'
        WHERE subject_id = ${target.id}
      `,
    ]) {
      await db.run(damage);
      expect((await listDifferences()).some((differences) => differences > 0)).toBe(true);
      const [, recorded] = await Promise.all([
        db.transaction(repair),
        runConcurrently(4, () => r.recordInteraction(author, { agent: other.handle })),
      ]);
      expect(recorded).toHaveLength(4);
      expect(await listDifferences()).toEqual([0, 0, 0, 0]);
      expect((await p.requestReputation('agent', target.id)).text).toBe(whole);
    }
    expect((await p.getReputation(other)).counts.interactions.delivery).toBe(28);
  });

  it('[reputation.command] exits with a code that states the result', async () => {
    const settings = {
      DATABASE_URL: toDatabaseUrl(db.connection as Parameters<typeof toDatabaseUrl>[0]),
    };
    expect(await runCommand('reputation check', settings)).toMatchObject({
      code: 0,
      out: expect.stringContaining('is what the records make'),
    });
    await db.run(sql`
      UPDATE reputation_counts
      SET count = count + 1
      WHERE context = ''
    `);
    const wrong = await runCommand('reputation check', settings);
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining('stoa reputation rebuild'),
    });
    expect(wrong.out).toMatch(
      /^WRONG {2}Interactions, findings and operators .* \d+ rows differ\.$/m,
    );
    expect(await runCommand('reputation rebuild', settings)).toMatchObject({ code: 0 });
    expect(await listDifferences()).toEqual([0, 0, 0, 0]);
    expect((await f.ok('GET', '/api/v1/admin/audit?limit=1', { admin: true }))[0]).toMatchObject({
      action: 'reputation.rebuilt',
    });
  });
});
