import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { compareReputation } from '../../../src/cli/reputation.ts';
import { clientConfig } from '../../../src/db/client-config.ts';
import { reputation as migration } from '../../../src/db/migrations/0014-reputation.ts';
import { reputationByOperator } from '../../../src/db/migrations/0019-reputation-by-operator.ts';
import { sql } from '../../../src/db/sql.ts';
import { mend } from '../../../src/features/reputation/store.ts';
import { ADJUDICATION, HOUR } from '../adjudication/setup.ts';
import { startApp } from '../../support/app.ts';
import { factories, refused, type TestAgent, together } from '../../support/factories.ts';
import { outside, RECORDS } from '../interactions/setup.ts';
import { REPUTATION, reputations } from '../../reputation.ts';
import { command, urlOf } from '../../support/service.ts';

const app = await startApp({ ...RECORDS, ...ADJUDICATION, ...REPUTATION });
const f = factories(app);
const p = await reputations(f);
const { j, r } = p;
const { db } = app.app.env;

const insufficient = { state: 'insufficient_evidence', value: null, interval: null };
const none = { collaboration: 0, delivery: 0, review: 0, transaction: 0, incident: 0, other: 0 };
const agreed = async () => (await compareReputation(db)).map(({ differences }) => differences);

/** Three agents, each of an operator of its own. */
const three = (name: string) =>
  together(3, (n) => p.of(`${name} ${n}`)) as Promise<[TestAgent, TestAgent, TestAgent]>;

describe('a reputation', () => {
  it('[reputation.projection] has all members of the contract, for anyone', async () => {
    const [author, target] = [await f.agent(), await f.agent()];
    const { createdAt } = await r.record(
      author,
      { agent: target.handle },
      { kind: 'review', context: 'code' },
    );
    const expected = {
      ...{
        kind: 'agent',
        id: target.id,
        context: null,
        method: 'wilson-lb/1',
        score: insufficient,
      },
      counts: {
        interactions: { ...none, review: 1 },
        findings: { upheld: 0, rejected: 0, inconclusive: 0 },
      },
      operators: { knownIndependent: 0, unknown: 0, threshold: 3 },
      ...{
        recentFindings: [],
        asOf: createdAt,
        disclaimer: expect.stringContaining('no evidence of misconduct'),
      },
    };
    expect(await p.read(target)).toEqual(expected);
    for (const options of [{ key: target.key }, { admin: true }])
      expect(await f.ok('GET', p.address('agent', target.id), options)).toEqual(expected);
    const { headers } = await p.ask('agent', target.id);
    expect(
      (
        await f.send('GET', p.address('agent', target.id), {
          headers: { 'if-none-match': headers.get('etag') ?? '' },
        })
      ).status,
    ).toBe(304);
    // The subject of an agent has its id.
    expect((await p.ask('subject', target.id)).body).toEqual({ ...expected, kind: 'subject' });
    expect((await p.ask('agent', target.id.toUpperCase())).body).toEqual(expected);
  });

  it('[reputation.projection] is of things outside too', async () => {
    const { subjectId } = await r.record(await f.agent(), outside('npm/reputed', 'package'), {
      kind: 'incident',
    });
    expect((await p.ask('subject', subjectId)).body).toMatchObject({
      kind: 'subject',
      id: subjectId,
      counts: { interactions: { ...none, incident: 1 } },
    });
    expect(await p.ask('agent', subjectId)).toMatchObject(refused(404, 'not_found'));
  });

  it('[reputation.links] is where subjects and the page of an agent lead', async () => {
    const target = await f.agent();
    const page = async () =>
      (await f.send('GET', `/agents/${target.handle}`, { headers: { accept: 'text/html' } })).text;
    expect(await page()).toContain('nothing public is recorded');
    const [a, b, c] = await three('Links');
    const { subjectId } = await r.record(a, outside('npm/linked', 'package'));
    await p.found(target, [a], [b]);
    expect(await page()).toContain(
      `<a href="/api/v1/reputation/agent/${target.id}">insufficient evidence: 2 of 3 known independent operators</a>`,
    );
    await p.found(target, [c]);
    expect(await page()).toContain('0.438503, from 3 known independent operators');
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

  it('[reputation.projection] takes nothing else for a target', async () => {
    const { id } = await f.agent();
    for (const path of [
      `room/${id}`,
      'agent/ada',
      `agent/${id}?context=`,
      `agent/${id}?context=A`,
      `agent/${id}?context=${'a'.repeat(65)}`,
      `agent/${id}?more=1`,
    ])
      expect(await f.send('GET', `/api/v1/reputation/${path}`), path).toMatchObject(
        refused(400, 'invalid_request'),
      );
  });

  it('[reputation.not-found] is none of whom nothing public is known, and that is no evidence', async () => {
    const [author, target, withdrawn] = (await together(3, () => f.agent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const { subjectId: hidden } = await r.record(author, outside('npm/hidden', 'package'), {
      visibility: 'private',
    });
    await r.record(author, { agent: target.handle }, { visibility: 'private' });
    const { id } = await r.record(author, { agent: withdrawn.handle });
    expect((await p.ask('agent', withdrawn.id)).status).toBe(200);
    await r.revise(author, id, { expectedVersion: 1, state: 'withdrawn' });
    for (const [kind, of] of [
      ['agent', target.id],
      ['subject', target.id],
      ['subject', hidden],
      ['agent', withdrawn.id],
      ['agent', app.app.env.newId()],
    ] as const) {
      const answer = await f.send('GET', p.address(kind, of), { key: author.key });
      expect(answer).toMatchObject(refused(404, 'not_found'));
      expect(answer.body.detail).toContain('no evidence of misconduct');
    }
  });

  it('[reputation.counts] counts what is public and was not withdrawn, whoever recorded it', async () => {
    const [author, other, target] = (await together(3, () => f.agent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const at = { agent: target.handle };
    const first = await r.record(author, at, { kind: 'delivery' });
    await r.record(other, at, { kind: 'delivery' });
    await r.record(other, at, { kind: 'incident', visibility: 'private' });
    await p.found(
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
    expect((await p.read(target)).counts).toEqual(before);
    await r.revise(author, first.id, { expectedVersion: 1, summary: 'Said in other words.' });
    expect((await p.read(target)).counts).toEqual(before);
    const { recentFindings } = await p.read(target);
    const upheld = recentFindings
      .filter(({ result }: { result: string }) => result === 'upheld')
      .map(({ interactionId }: { interactionId: string }) => interactionId);
    for (const id of [first.id, ...upheld]) {
      const { version, authorId } = await r.detail(null, id);
      expect(
        (
          await r.revise(authorId === author.id ? author : other, id, {
            expectedVersion: version,
            state: 'withdrawn',
          })
        ).status,
      ).toBe(200);
    }
    const after = await p.read(target);
    expect(after.counts).toEqual({
      interactions: { ...none, delivery: 3 },
      findings: { upheld: 0, rejected: 1, inconclusive: 1 },
    });
    expect(after.recentFindings).toHaveLength(2);
    expect(after.operators).toMatchObject({ unknown: 1 });
  });

  it('[reputation.context] is of one context, or of all together', async () => {
    const target = await f.agent();
    const [a, b, c] = await three('Contexts');
    const [code, ops] = [{ context: 'code', kind: 'review' }, { context: 'ops' }];
    // In one context A is for it, in both together undecided.
    await p.found(
      target,
      [a, 'upheld', code],
      [a, 'rejected', ops],
      [b, 'upheld', code],
      [c, 'upheld', ops],
    );
    expect(await p.read(target)).toMatchObject({
      context: null,
      counts: { interactions: { review: 2, delivery: 2 } },
      operators: { knownIndependent: 2 },
    });
    expect(await p.read(target, 'code')).toMatchObject({
      context: 'code',
      counts: { interactions: { review: 2, delivery: 0 } },
      operators: { knownIndependent: 2 },
    });
    expect((await p.read(target, 'code')).recentFindings).toHaveLength(2);
    expect(await p.read(target, 'ops')).toMatchObject({
      counts: { findings: { upheld: 1, rejected: 1 } },
      operators: { knownIndependent: 2 },
    });
    expect(await p.read(target, 'nothing')).toMatchObject({
      counts: { interactions: none },
      score: insufficient,
      recentFindings: [],
      asOf: null,
    });
  });

  it('[reputation.threshold] [reputation.wilson] is scored from three known independent operators on', async () => {
    const target = await f.agent();
    const [a, b, c] = await three('Threshold');
    await p.found(target, [a], [b]);
    expect(await p.read(target)).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 2, unknown: 0 },
    });
    await p.found(target, [c]);
    expect((await p.read(target)).score).toEqual({
      state: 'scored',
      value: 0.438503,
      interval: { lower: 0.438503, upper: 1 },
    });
    await p.found(target, [c, 'rejected'], [c, 'rejected']);
    expect((await p.read(target)).score).toEqual({
      state: 'scored',
      value: 0.20766,
      interval: { lower: 0.20766, upper: 0.938508 },
    });
  });

  it('[reputation.majority] takes the majority of an operator, and a tie for nothing', async () => {
    const target = await f.agent();
    const [a, b, c] = await three('Majority');
    await p.found(target, [a], [b], [c], [c, 'rejected']);
    expect(await p.read(target)).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 2 },
    });
    await p.found(target, [c, null]);
    expect(await p.read(target)).toMatchObject({ score: insufficient });
    await p.found(target, [c]);
    expect(await p.read(target)).toMatchObject({
      score: { state: 'scored', value: 0.438503 },
      operators: { knownIndependent: 3 },
    });
  });

  it('[reputation.superseded] takes the result of the round that closed last, of whichever case', async () => {
    const target = await f.agent();
    const [a, b, c] = await three('Superseded');
    await p.found(target, [a], [b]);
    const { id, caseId } = await p.judged(c, { agent: target.handle });
    await j.closeAll();
    const of = async () =>
      (({ counts, score, recentFindings: [newest] }) => [
        counts.findings.upheld,
        counts.findings.rejected,
        score.state,
        newest,
      ])(await p.read(target));
    const finding = { caseId, interactionId: id };
    expect(await of()).toMatchObject([3, 0, 'scored', finding]);
    const piece = await j.more(c, id);
    app.clock.advance(HOUR);
    expect((await j.round(p.opener, caseId, [piece])).status).toBe(200);
    expect(await of()).toMatchObject([3, 0, 'scored', { ...finding, result: 'upheld' }]);
    await p.judge(caseId, 'rejected');
    await j.closeAll();
    expect(await of()).toMatchObject([2, 1, 'scored', { ...finding, result: 'rejected' }]);
    // Another question about the same thing, which nobody answers.
    app.clock.advance(HOUR);
    const { version } = await r.detail(null, id);
    const { id: other } = await j.open(p.opener, id, { expectedVersion: version });
    await j.closeAll();
    expect(await of()).toMatchObject([
      2,
      0,
      insufficient.state,
      { caseId: other, interactionId: id, result: 'inconclusive' },
    ]);
    expect((await r.detail(null, id)).finding).toBe('inconclusive');
  });

  it('[reputation.excluded] lets blocked and synthetic authors stand behind nothing, while they are', async () => {
    const target = await f.agent();
    const [a, b, c] = await three('Excluded');
    await p.found(target, [a], [b], [c]);
    const before = await p.ask('agent', target.id);
    for (const exclude of [p.block, p.flag]) {
      await exclude(c, true);
      const during = await p.read(target);
      expect(during).toMatchObject({
        score: insufficient,
        operators: { knownIndependent: 2, unknown: 0 },
      });
      expect(during.counts).toEqual(before.body.counts);
      await exclude(c, false);
      expect((await p.ask('agent', target.id)).text).toBe(before.text);
    }
  });

  it('[reputation.recent] shows the newest 20 findings, the newest first', async () => {
    const [author, target] = [await f.agent(), await f.agent()];
    await p.found(target, ...Array.from({ length: 11 }, () => [author, null] as const));
    app.clock.advance(HOUR);
    await p.found(target, ...Array.from({ length: 11 }, () => [author, null] as const));
    const { recentFindings, counts } = await p.read(target);
    expect(counts.findings.inconclusive).toBe(22);
    expect(recentFindings).toHaveLength(20);
    const times = recentFindings.map(({ closedAt }: { closedAt: string }) => closedAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect([new Set(times).size, times.filter((time: string) => time === times[0]).length]).toEqual(
      [2, 11],
    );
    for (const { caseId, interactionId, result, closedAt } of recentFindings.slice(0, 2)) {
      const { subject, state, rounds } = await j.detail(caseId);
      expect([subject.id, state, rounds[0].outcome.result, rounds[0].outcome.closedAt]).toEqual([
        interactionId,
        'closed',
        result,
        closedAt,
      ]);
    }
  });

  it('[reputation.as-of] is as new as what it was made from', async () => {
    const target = await f.agent();
    const [a, b] = await three('As of');
    const { id, createdAt } = await r.record(a, { agent: target.handle });
    expect((await p.read(target)).asOf).toBe(createdAt);
    app.clock.advance(HOUR);
    const second = await r.record(b, { agent: target.handle });
    expect((await p.read(target)).asOf).toBe(second.createdAt);
    await r.revise(b, second.id, { expectedVersion: 1, state: 'withdrawn' });
    expect((await p.read(target)).asOf).toBe(createdAt);
    const { id: caseId } = await j.open(p.opener, id);
    await p.judge(caseId, 'upheld');
    await j.closeAll();
    const { asOf, recentFindings } = await p.read(target);
    expect(asOf).toBe(recentFindings[0].closedAt);
    app.clock.advance(100 * HOUR);
    await p.group(a, 'As of another');
    expect((await p.read(target)).asOf).toBe(new Date(app.clock()).toISOString());
  });
});

describe('[reputation.sybil] a score is not raised', () => {
  it('[reputation.once] by many agents of one known operator', async () => {
    const target = await f.agent();
    const many = await together(8, () => p.of('Mill'));
    await p.found(target, ...many.map((agent) => [agent] as const));
    expect(await p.read(target)).toMatchObject({
      score: insufficient,
      counts: { findings: { upheld: 8 } },
      operators: { knownIndependent: 1, unknown: 0 },
    });
    const [a, b] = await three('Beside a mill');
    await p.found(target, [a], [b]);
    const scored = await p.read(target);
    expect(scored.score.value).toBe(0.438503);
    await p.found(
      target,
      ...(await together(4, () => p.of('Mill'))).map((agent) => [agent] as const),
    );
    expect((await p.read(target)).score).toEqual(scored.score);
  });

  it('[reputation.unknown] by many agents of unknown operators, whatever they claim', async () => {
    const target = await f.agent();
    const many = await together(8, () => f.agent());
    await together(3, (n) =>
      r.claim(many[n] as TestAgent, (many[n] as TestAgent).id, {
        claim: 'operator',
        value: `Operator ${n}`,
      }),
    );
    await p.found(target, ...many.map((agent) => [agent] as const));
    expect(await p.read(target)).toMatchObject({
      score: insufficient,
      counts: { findings: { upheld: 8 } },
      operators: { knownIndependent: 0, unknown: 8 },
    });
    const [a, b, c] = await three('Beside unknown');
    await p.found(target, [a], [b], [c, 'rejected']);
    expect(await p.read(target)).toMatchObject({
      score: { state: 'scored', value: 0.20766 },
      operators: { knownIndependent: 3, unknown: 8 },
    });
  });

  it('by circles that praise each other', async () => {
    const [a, b, c] = await three('Circle');
    const unknown = (await together(4, () => f.agent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const praise = (members: readonly TestAgent[]) =>
      Promise.all(
        members.flatMap((author) =>
          members
            .filter((one) => one !== author)
            .map((one) => r.record(author, { agent: one.handle })),
        ),
      );
    // Praise alone is worth nothing, of known operators either.
    await praise([a, b, c, ...unknown]);
    for (const member of [a, unknown[0]])
      expect(await p.read(member)).toMatchObject({
        score: insufficient,
        operators: { knownIndependent: 0, unknown: 0 },
      });
    // Judged as well, a circle of unknown operators, or of one known, is as good as nobody.
    await p.found(unknown[0], ...unknown.slice(1).map((agent) => [agent] as const));
    expect(await p.read(unknown[0])).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 0, unknown: 3 },
    });
    for (const agent of unknown) await p.group(agent, 'One circle');
    expect(await p.read(unknown[0])).toMatchObject({
      score: insufficient,
      operators: { knownIndependent: 0, unknown: 0 },
    });
  });

  it('[reputation.related] by agents of the operator of the target', async () => {
    const target = await p.of('Own');
    const [a, b] = await three('Beside its own');
    const own = await together(3, () => p.of('Own'));
    await p.found(target, [a], [b], ...own.map((agent) => [agent] as const));
    expect(await p.read(target)).toMatchObject({
      score: insufficient,
      counts: { findings: { upheld: 5 } },
      operators: { knownIndependent: 2, unknown: 0 },
    });
    // Somebody else's, once the target is.
    await p.group(target, 'Sold');
    expect(await p.read(target)).toMatchObject({
      score: { state: 'scored' },
      operators: { knownIndependent: 3 },
    });
  });
});

describe('what is kept', () => {
  it('[reputation.groups] follows what becomes known of an author at once, in all that it judged, and back', async () => {
    const author = await f.agent();
    const targets = await together(5, () => f.agent());
    for (const target of targets)
      await p.found(
        target,
        [author],
        [author, 'rejected', { context: 'ops' }],
        [author, 'upheld', { context: 'ops' }],
      );
    const answers = async () =>
      (await Promise.all(targets.map((target) => p.ask('agent', target.id)))).map(
        ({ text }) => text,
      );
    const before = await answers();
    const steps: readonly (readonly [
      change: () => Promise<unknown>,
      knownIndependent: number,
      unknown: number,
    ])[] = [
      [() => p.group(author, 'Found out'), 1, 0],
      [() => p.group(author, 'Found out again'), 1, 0],
      [() => p.block(author, true), 0, 0],
      [() => p.flag(author, true), 0, 0],
      [() => p.block(author, false), 0, 0],
      [() => p.flag(author, false), 1, 0],
      [() => p.group(author, null), 0, 1],
    ];
    for (const [change, knownIndependent, unknown] of steps) {
      await change();
      for (const target of targets)
        expect((await p.read(target)).operators).toMatchObject({ knownIndependent, unknown });
      expect(await agreed()).toEqual([0, 0, 0, 0]);
    }
    expect(await answers()).toEqual(before);
  });

  it('[reputation.groups] holds also for a finding of the same moment, on any node', async () => {
    const other = await reputations(factories(await app.another()));
    for (let round = 0; round < 4; round++) {
      const [author, target] = (await together(2, () => f.agent())) as [TestAgent, TestAgent];
      await together(3, (n) =>
        p.judged(author, { agent: target.handle }, n > 0 ? 'upheld' : 'rejected'),
      );
      const withdrawn = await r.record(author, { agent: target.handle });
      await Promise.all([
        j.closeAll(),
        p.group(author, `At once ${round}`),
        other.flag(author, round % 2 === 0),
        r.revise(author, withdrawn.id, { expectedVersion: 1, state: 'withdrawn' }),
        other.group(author, `At once again ${round}`),
      ]);
      const { counts, operators } = await p.read(target);
      expect(counts.findings).toMatchObject({ upheld: 2, rejected: 1 });
      expect(operators).toMatchObject({ knownIndependent: round % 2, unknown: 0 });
    }
    expect(await agreed()).toEqual([0, 0, 0, 0]);
  });

  it('[reputation.bounded] a read looks at a few rows, however many authors and operators stand behind a target', async () => {
    const target = await f.agent();
    await p.found(target, [await p.of('Bounded')]);
    const rows = async () =>
      (
        await db.first<{
          count: number;
        }>(sql`SELECT (SELECT count(*) FROM reputation_counts WHERE subject_id = ${target.id} AND context = '')
          + (SELECT count(*) FROM reputation_operators o JOIN operator_groups g ON g.name = o.operator WHERE o.subject_id = ${target.id} AND o.context = '' AND g.agent_id = ${target.id}) AS count`)
      )?.count;
    const few = await rows();
    await p.found(
      target,
      ...(await together(6, (n) => p.of(n % 2 ? `Bounded ${n}` : null))).map(
        (author) => [author] as const,
      ),
    );
    expect((await p.read(target)).operators).toMatchObject({ knownIndependent: 4, unknown: 3 });
    // One more: that there are unknown ones.
    expect(await rows()).toBe((few ?? 0) + 1);
  });

  it('[reputation.filled] is filled from what was there before the migration', async () => {
    const client = new pg.Client(clientConfig(db.connection));
    await client.connect();
    const kept = async () =>
      (
        await client.query(`SELECT row_to_json(e)::text AS row FROM reputation_entries e UNION ALL SELECT row_to_json(c)::text FROM reputation_counts c WHERE count <> 0
          UNION ALL SELECT row_to_json(a)::text FROM reputation_authors a WHERE upheld + rejected <> 0
          UNION ALL SELECT row_to_json(o)::text FROM reputation_operators o WHERE agents <> 0 ORDER BY 1`)
      ).rows;
    try {
      await client.query('BEGIN');
      const before = await kept();
      expect(before.length).toBeGreaterThan(100);
      await client.query(`DROP INDEX agents_silent, interactions_public, interactions_public_in_context; DROP VIEW reputation_entries_anew, reputation_standing CASCADE;
        DROP TABLE reputation_entries, reputation_counts, reputation_authors, reputation_operators CASCADE;
        DROP FUNCTION reputation_came, reputation_went, reputation_changed, reputation_recorded, reputation_withdrawn, reputation_found,
          reputation_voice, reputation_lock, reputation_hold, reputation_restand CASCADE`);
      await client.query(migration);
      await client.query(reputationByOperator);
      expect(await kept()).toEqual(before);
      await client.query('ROLLBACK');
    } finally {
      await client.end();
    }
  });

  it('[reputation.command] is compared with the records, and mended, while others record', async () => {
    expect(await agreed()).toEqual([0, 0, 0, 0]);
    const [author, target, other] = (await together(3, () => f.agent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const made = await together(6, () => r.record(author, { agent: target.handle }));
    const whole = (await p.ask('agent', target.id)).text;
    for (const damage of [
      sql`DELETE FROM reputation_entries WHERE interaction_id = ${made[0]?.id}`,
      sql`UPDATE reputation_counts SET count = count + 1 WHERE subject_id = ${target.id}`,
      sql`DELETE FROM reputation_counts WHERE subject_id = ${target.id}`,
      sql`INSERT INTO reputation_authors VALUES (${target.id}, '', ${author.id}, 3, 0)`,
      sql`INSERT INTO reputation_operators VALUES (${target.id}, '', 'Nobody', 1, 3, 0)`,
      sql`INSERT INTO reputation_counts VALUES (${target.id}, '', 'known_upheld', 3)`,
      sql`UPDATE reputation_entries SET kind = 'incident' WHERE subject_id = ${target.id}`,
    ]) {
      await db.run(damage);
      expect((await agreed()).some((differences) => differences > 0)).toBe(true);
      const [, recorded] = await Promise.all([
        db.transaction(mend),
        together(4, () => r.record(author, { agent: other.handle })),
      ]);
      expect(recorded).toHaveLength(4);
      expect(await agreed()).toEqual([0, 0, 0, 0]);
      expect((await p.ask('agent', target.id)).text).toBe(whole);
    }
    expect((await p.read(other)).counts.interactions.delivery).toBe(28);
  });

  it('[reputation.command] says so by its exit code', async () => {
    const settings = { DATABASE_URL: urlOf(db.connection as Parameters<typeof urlOf>[0]) };
    expect(await command('reputation check', settings)).toMatchObject({
      code: 0,
      out: expect.stringContaining('is what the records make'),
    });
    await db.run(sql`UPDATE reputation_counts SET count = count + 1 WHERE context = ''`);
    const wrong = await command('reputation check', settings);
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining('stoa reputation rebuild'),
    });
    expect(wrong.out).toMatch(
      /^WRONG {2}Interactions, findings and operators .* \d+ rows differ\.$/m,
    );
    expect(await command('reputation rebuild', settings)).toMatchObject({ code: 0 });
    expect(await agreed()).toEqual([0, 0, 0, 0]);
    expect((await f.ok('GET', '/api/v1/admin/audit?limit=1', { admin: true }))[0]).toMatchObject({
      action: 'reputation.rebuilt',
    });
  });
});
