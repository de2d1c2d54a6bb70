import { describe, expect, it } from 'vitest';
import type { ExperimentId } from '../../../src/features/research/rules.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';
import { adjudicationHelpers, adjudicationSettings } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { taskHelpers, taskSettings } from '../tasks/setup.ts';
import {
  buildRowsByDay,
  createRandom,
  DAY,
  filterCountable,
  isStudied,
  listDays,
  readDataset,
  researchSettings,
  type StudyAgent,
  toDay,
  toggleRandomly,
  toShape,
  toStudyAgent,
  type Unit,
} from './setup.ts';

/** Creates decisions to count: ballots of rounds and assignments of tasks. */
const app = await startApp({
  ...interactionSettings,
  ...adjudicationSettings,
  ...taskSettings,
  ...researchSettings,
});
const f = factories(app);
const j = adjudicationHelpers(f);
const w = taskHelpers(app, f);
const researcher = await f.getKeyWithScope(await f.createAgent(), 'research');

const getToday = () => toDay(app.clock());
const setConsent = (key: string, yes = true) =>
  f.ok('PUT', '/api/v1/me/research-consent', { key, body: { consent: yes } });
/**
 * Reads the days that have a rate, from before the first event until today, and checks that the
 * dataset gives the same.
 */
async function listRates(experiment: string): Promise<string[]> {
  const span = { from: '2026-03-01', to: getToday() };
  const rows: Json[] = await f.ok(
    'GET',
    `/api/v1/research/metrics?experiment=${experiment}&from=${span.from}&to=${span.to}`,
  );
  const { id } = await f.ok('POST', '/api/v1/research/exports', {
    key: researcher,
    body: { experiment, ...span },
  });
  const units = (await readDataset(f, researcher, id)).rows;
  for (const { day, numerator, denominator } of rows) {
    const own = units.filter((row) => row.day === day);
    expect({
      numerator: own.filter(({ value }) => value >= 1).length,
      denominator: own.length,
    }).toEqual({ numerator, denominator });
  }
  return rows.flatMap(({ numerator, denominator, rate }) =>
    rate === null ? [] : [`${numerator}/${denominator}`],
  );
}

describe('getMetrics of ballots', () => {
  it('[research.counted-ballots] counts them for a side once their round has closed', async () => {
    const voters = await j.createVoters(10);
    for (const { key } of voters.slice(0, 9)) await setConsent(key);
    const { id, author, opener, interactionId } = await j.createCase();
    const vote = async (verdicts: readonly string[]) => {
      for (const [index, verdict] of verdicts.entries())
        expect((await j.castVote(voters[index] as TestAgent, id, verdict)).status).toBe(200);
    };
    // The last two do not count: one takes no side, and one does not consent.
    await vote([
      'upheld',
      'upheld',
      'upheld',
      'upheld',
      'upheld',
      'rejected',
      'rejected',
      'rejected',
      'insufficient_evidence',
      'upheld',
    ]);
    app.clock.advance(2 * DAY);
    expect(await listRates('adjudication-agreement')).toEqual([]);
    app.clock.advance(2 * DAY);
    await app.app.jobs.runDue();
    app.clock.advance(DAY);
    expect(await listRates('adjudication-agreement')).toEqual(['5/8']);
    expect(await listRates('evidence-effect')).toEqual([]);

    expect(
      (await j.openRound(opener, id, [await j.addEvidence(author, interactionId)])).status,
    ).toBe(200);
    await vote(['rejected', 'rejected', 'rejected', 'rejected', 'upheld', 'rejected', 'rejected']);
    expect(await listRates('evidence-effect')).toEqual([]);
    app.clock.advance(4 * DAY);
    await app.app.jobs.runDue();
    app.clock.advance(DAY);
    expect(await listRates('adjudication-agreement')).toEqual(['5/8', '6/7']);
    expect(await listRates('evidence-effect')).toEqual(['6/7']);

    await setConsent((voters[0] as TestAgent).key, false);
    expect(await listRates('adjudication-agreement')).toEqual(['4/7', '5/6']);
    await f.ok('PUT', `/api/v1/admin/agents/${voters[1]?.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect(await listRates('adjudication-agreement')).toEqual(['3/6', '4/5']);
    expect(await listRates('evidence-effect')).toEqual(['4/5']);
  });
});

describe('getMetrics of assignments', () => {
  it('[research.tasks] counts public tasks if owner and worker consent', async () => {
    const owner = await w.createHolder(1000);
    const workers = await runConcurrently(7, () => w.createHolder());
    for (const { forumKey: forum } of workers.slice(0, 6)) await setConsent(forum);
    for (const visibility of ['public', 'private']) {
      const invitees =
        visibility === 'private' ? { invitees: workers.map(({ handle }) => handle) } : {};
      const task = await w.createFixtureTask(owner, { slots: 7, visibility, ...invitees });
      const taken = await Promise.all(workers.map((worker) => w.createAssignment(worker, task)));
      for (const index of [0, 1, 2, 6])
        expect(
          (await w.submitWork(workers[index] as (typeof workers)[number], taken[index] as string))
            .status,
        ).toBe(200);
      expect(
        (await w.abandonAssignment(workers[3] as (typeof workers)[number], taken[3] as string))
          .status,
      ).toBe(200);
    }
    app.clock.advance(14 * DAY);
    expect(await listRates('task-completion')).toEqual([]);
    app.clock.advance(DAY);
    expect(await listRates('task-completion')).toEqual([]);
    await setConsent(owner.forumKey);
    expect(await listRates('task-completion')).toEqual(['3/6']);
    await setConsent(workers[0]?.forumKey as string, false);
    expect(await listRates('task-completion')).toEqual(['2/5']);
    await setConsent(workers[1]?.forumKey as string, false);
    expect(await listRates('task-completion')).toEqual([]);
  });
});

type Voter = TestAgent & StudyAgent & { readonly group: string | null };
interface CaseRound {
  readonly context: string;
  readonly closed: string;
  readonly result: string;
  readonly before: string | undefined;
  readonly ballots: readonly {
    readonly voter: Voter;
    readonly verdict: string;
    readonly counts: boolean;
  }[];
}
interface TakenAssignment {
  readonly owner: StudyAgent;
  readonly worker: CreditHolder & StudyAgent;
  readonly kind: string;
  readonly at: number;
  submitted: number | undefined;
}

/** Implements the definitions a second time, as a stranger would read them. */
const tookSide = (verdict: string | undefined): boolean =>
  verdict === 'upheld' || verdict === 'rejected';
const listBallotUnits = (
  rounds: readonly CaseRound[],
  value: (verdict: string, round: CaseRound) => boolean,
): Unit[] =>
  rounds.flatMap((round) =>
    round.ballots
      .filter(({ voter, verdict, counts }) => counts && tookSide(verdict) && isStudied(voter))
      .map(({ voter, verdict }) => ({
        day: round.closed,
        context: round.context,
        author: voter.id,
        value: Number(value(verdict, round)),
      })),
  );
const expectedUnits: Readonly<
  Record<string, (rounds: readonly CaseRound[], taken: readonly TakenAssignment[]) => Unit[]>
> = {
  'adjudication-agreement': (rounds) =>
    listBallotUnits(
      rounds.filter(({ result }) => tookSide(result)),
      (verdict, { result }) => verdict === result,
    ),
  'evidence-effect': (rounds) =>
    listBallotUnits(
      rounds.filter(({ before }) => tookSide(before)),
      (verdict, { before }) => verdict !== before,
    ),
  'task-completion': (_, taken) =>
    taken
      .filter(({ owner, worker }) => isStudied(owner) && isStudied(worker))
      .map(({ worker, kind, at, submitted }) => ({
        day: toDay(at),
        context: kind,
        author: worker.id,
        value: Number(submitted !== undefined && submitted < at + 14 * DAY),
      })),
};

describe('getMetrics of random decisions', async () => {
  const random = createRandom(9);
  const voters: Voter[] = (await j.createVoters(9)).map((voter, index) => ({
    ...toStudyAgent(voter),
    group: index < 2 ? 'One house' : null,
  }));
  const rounds: CaseRound[] = [];
  const taken: TakenAssignment[] = [];
  const late: { readonly one: TakenAssignment; readonly id: string }[] = [];

  /** Everybody votes or nobody does, and the round closes after 72 hours. */
  async function decideCases(
    cases: readonly {
      readonly id: string;
      readonly context: string;
      readonly before: string | undefined;
    }[],
  ): Promise<string[]> {
    const open = [];
    for (const { id, context, before } of cases) {
      const ballots: CaseRound['ballots'][number][] = [];
      for (const voter of voters) {
        if (random.pickBoolean(0.1)) continue;
        const verdict = random.pickOne([
          'upheld',
          'upheld',
          'upheld',
          'rejected',
          'rejected',
          'insufficient_evidence',
        ]);
        expect((await j.castVote(voter, id, verdict)).status).toBe(200);
        ballots.push({
          voter,
          verdict,
          counts:
            voter.group === null || !ballots.some((other) => other.voter.group === voter.group),
        });
      }
      open.push({ context, before, ballots });
    }
    app.clock.advance(3 * DAY);
    await app.app.jobs.runDue();
    return open.map(({ context, before, ballots }) => {
      const sides = ['upheld', 'rejected'].map(
        (side) => ballots.filter(({ verdict, counts }) => counts && verdict === side).length,
      ) as [number, number];
      const result =
        sides[0] + sides[1] < 3 || sides[0] === sides[1]
          ? 'inconclusive'
          : sides[0] > sides[1]
            ? 'upheld'
            : 'rejected';
      rounds.push({ context, closed: getToday(), result, before, ballots });
      return result;
    });
  }

  async function expectAgreement(first: string): Promise<void> {
    for (const [experiment, of] of Object.entries(expectedUnits) as [
      ExperimentId,
      (typeof expectedUnits)[string],
    ][]) {
      const units = filterCountable(of(rounds, taken), experiment, app.clock());
      const span = { from: first, to: getToday() };
      const days = listDays(span.from, span.to);
      const rows: Json[] = await f.ok(
        'GET',
        `/api/v1/research/metrics?experiment=${experiment}&from=${span.from}&to=${span.to}`,
      );
      expect(
        rows.map(({ mature: _, ...row }) => row),
        experiment,
      ).toEqual(buildRowsByDay(units, days));
      const { id } = await f.ok('POST', '/api/v1/research/exports', {
        key: researcher,
        body: { experiment, ...span },
      });
      expect(toShape((await readDataset(f, researcher, id)).rows), experiment).toEqual(
        toShape(units),
      );
    }
  }

  it(
    '[research.metrics-from-facts] [research.same-facts] ' +
      '[research.counted-ballots] [research.tasks] figures and datasets match the facts',
    async () => {
      // Earlier tests did nothing on these days.
      app.clock.advance(2 * DAY);
      const first = getToday();
      for (const { id, group } of voters)
        if (group)
          await f.ok('PUT', `/api/v1/admin/agents/${id}/operator-group`, {
            admin: true,
            body: { operatorGroup: group, reason: 'Known.' },
          });
      const createAgents = async (count: number, earned = 0) =>
        (await runConcurrently(count, () => w.createHolder(earned))).map((one) =>
          toStudyAgent(one, one.forumKey),
        );
      const owners = await createAgents(2, 2000);
      const workers = await createAgents(8);
      for (const one of [...voters, ...owners.slice(1), ...workers]) {
        await setConsent(one.forumKey);
        one.consents = true;
      }
      for (const [index, kind] of [
        'artifact_review',
        'claim_verification',
        'artifact_review',
      ].entries()) {
        const owner = owners[index % 2] as (typeof owners)[number];
        const task = await w.createFixtureTask(owner, {
          kind,
          slots: 8,
          deadline: w.until(20 * DAY),
          assignmentHours: 720,
        });
        for (const worker of workers) {
          if (random.pickBoolean(0.2)) continue;
          const one: TakenAssignment = {
            owner,
            worker,
            kind,
            at: app.clock(),
            submitted: undefined,
          };
          const id = await w.createAssignment(worker, task);
          taken.push(one);
          const fate = random.pickOne(['submit', 'submit', 'late', 'late', 'abandon', 'nothing']);
          if (fate === 'late') late.push({ one, id });
          else if (fate === 'abandon') await w.abandonAssignment(worker, id);
          else if (fate === 'submit') {
            expect((await w.submitWork(worker, id)).status).toBe(200);
            one.submitted = app.clock();
          }
        }
      }
      const judged = await runConcurrently(3, () => j.createCase());
      const owner = owners[1] as (typeof owners)[number];
      const worker = workers[0] as (typeof workers)[number];
      const at = app.clock();
      const work = await w.createAssignment(
        worker,
        await w.createTask(owner, { slots: 1, deadline: w.until(DAY) }),
      );
      expect((await w.submitWork(worker, work)).status).toBe(200);
      taken.push({ owner, worker, kind: 'artifact_review', at, submitted: at });
      const { caseId } = await w.getAssignment(null, work);
      let results = await decideCases([
        ...judged.map(({ id }) => ({ id, context: 'interaction', before: undefined })),
        { id: caseId, context: 'task_submission', before: undefined },
      ]);
      for (let turn = 0; turn < 2; turn++) {
        for (const { opener, author, interactionId, id } of judged)
          expect(
            (
              await j.openRound(opener, id, [
                await j.addEvidence(author, interactionId, `More of ${turn}.`),
              ])
            ).status,
          ).toBe(200);
        const before = results;
        results = await decideCases(
          judged.map(({ id }, index) => ({ id, context: 'interaction', before: before[index] })),
        );
      }
      // The first moment is the last millisecond of the 14 days, and the second is the end.
      for (const [index, { one, id }] of late.entries()) {
        const until = one.at + 14 * DAY - (index % 2 ? 0 : 1);
        if (until > app.clock()) app.clock.advance(until - app.clock());
        expect((await w.submitWork(one.worker, id)).status).toBe(200);
        one.submitted = app.clock();
      }
      await expectAgreement(first);
      app.clock.advance(16 * DAY);
      await expectAgreement(first);
      expect(late.length).toBeGreaterThan(3);
      for (const [experiment, of] of Object.entries(expectedUnits)) {
        const values = filterCountable(
          of(rounds, taken),
          experiment as ExperimentId,
          app.clock(),
        ).map(({ value }) => value);
        expect({ hasZero: values.includes(0), hasOne: values.includes(1) }, experiment).toEqual({
          hasZero: true,
          hasOne: true,
        });
      }
      for (let turn = 0; turn < 12; turn++) {
        await toggleRandomly(
          f,
          random,
          random.pickOne<StudyAgent>([...voters, ...workers, ...owners]),
        );
        await expectAgreement(first);
      }
    },
  );
});
