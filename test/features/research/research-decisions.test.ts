import { describe, expect, it } from 'vitest';
import type { ExperimentId } from '../../../src/features/research/rules.ts';
import { ADJUDICATION, judges } from '../adjudication/setup.ts';
import { startApp } from '../../support/app.ts';
import type { Holder } from '../credits/setup.ts';
import { factories, type Loose, type TestAgent, together } from '../../support/factories.ts';
import { RECORDS } from '../interactions/setup.ts';
import {
  chance,
  countable,
  DAY,
  dayOf,
  daysBetween,
  isStudied,
  newcomer,
  RESEARCH,
  readDataset,
  rowsByDay,
  type Studied,
  shapeOf,
  sway,
  type Unit,
} from './setup.ts';
import { TASKS, works } from '../tasks/setup.ts';

/** What is counted of decisions: ballots of rounds, and assignments of tasks. */
const app = await startApp({ ...RECORDS, ...ADJUDICATION, ...TASKS, ...RESEARCH });
const f = factories(app);
const [j, w] = [judges(f), works(app, f)];
const researcher = await f.keyWith(await f.agent(), 'research');

const today = () => dayOf(app.clock());
const consent = (key: string, yes = true) =>
  f.ok('PUT', '/api/v1/me/research-consent', { key, body: { consent: yes } });
/** Days with a rate, from before anything happened until today; each is what the dataset gives too. */
async function rates(experiment: string): Promise<string[]> {
  const span = { from: '2026-03-01', to: today() };
  const rows: Loose[] = await f.ok(
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
    expect([own.filter(({ value }) => value >= 1).length, own.length]).toEqual([
      numerator,
      denominator,
    ]);
  }
  return rows.flatMap(({ numerator, denominator, rate }) =>
    rate === null ? [] : [`${numerator}/${denominator}`],
  );
}

describe('ballots', () => {
  it('[research.counted-ballots] count for one side or the other, once their round has closed', async () => {
    const voters = await j.voters(10);
    for (const { key } of voters.slice(0, 9)) await consent(key);
    const { id, author, opener, interactionId } = await j.opened();
    const vote = async (verdicts: readonly string[]) => {
      for (const [index, verdict] of verdicts.entries())
        expect((await j.vote(voters[index] as TestAgent, id, verdict)).status).toBe(200);
    };
    // The last two do not count: one takes no side, one does not consent.
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
    expect(await rates('adjudication-agreement')).toEqual([]);
    app.clock.advance(2 * DAY);
    await app.app.jobs.runDue();
    app.clock.advance(DAY);
    expect(await rates('adjudication-agreement')).toEqual(['5/8']);
    expect(await rates('evidence-effect')).toEqual([]);

    expect((await j.round(opener, id, [await j.more(author, interactionId)])).status).toBe(200);
    await vote(['rejected', 'rejected', 'rejected', 'rejected', 'upheld', 'rejected', 'rejected']);
    expect(await rates('evidence-effect')).toEqual([]);
    app.clock.advance(4 * DAY);
    await app.app.jobs.runDue();
    app.clock.advance(DAY);
    expect(await rates('adjudication-agreement')).toEqual(['5/8', '6/7']);
    expect(await rates('evidence-effect')).toEqual(['6/7']);

    await consent((voters[0] as TestAgent).key, false);
    expect(await rates('adjudication-agreement')).toEqual(['4/7', '5/6']);
    await f.ok('PUT', `/api/v1/admin/agents/${voters[1]?.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect(await rates('adjudication-agreement')).toEqual(['3/6', '4/5']);
    expect(await rates('evidence-effect')).toEqual(['4/5']);
  });
});

describe('assignments', () => {
  it('[research.tasks] count when owner and worker consent, and the task is public', async () => {
    const [owner, workers] = [await w.holder(1000), await together(7, () => w.holder())];
    for (const { forum } of workers.slice(0, 6)) await consent(forum);
    for (const visibility of ['public', 'private']) {
      const invitees =
        visibility === 'private' ? { invitees: workers.map(({ handle }) => handle) } : {};
      const task = await w.fixed(owner, { slots: 7, visibility, ...invitees });
      const taken = await Promise.all(workers.map((worker) => w.taken(worker, task)));
      for (const index of [0, 1, 2, 6])
        expect(
          (await w.submit(workers[index] as (typeof workers)[number], taken[index] as string))
            .status,
        ).toBe(200);
      expect(
        (await w.abandon(workers[3] as (typeof workers)[number], taken[3] as string)).status,
      ).toBe(200);
    }
    app.clock.advance(14 * DAY);
    expect(await rates('task-completion')).toEqual([]);
    app.clock.advance(DAY);
    expect(await rates('task-completion')).toEqual([]);
    await consent(owner.forum);
    expect(await rates('task-completion')).toEqual(['3/6']);
    await consent(workers[0]?.forum as string, false);
    expect(await rates('task-completion')).toEqual(['2/5']);
    await consent(workers[1]?.forum as string, false);
    expect(await rates('task-completion')).toEqual([]);
  });
});

type Voter = TestAgent & Studied & { readonly group: string | null };
interface Round {
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
interface Taken {
  readonly owner: Studied;
  readonly worker: Holder & Studied;
  readonly kind: string;
  readonly at: number;
  submitted: number | undefined;
}

/** The definitions once more, as a stranger would read them. */
const sided = (verdict: string | undefined): boolean =>
  verdict === 'upheld' || verdict === 'rejected';
const ballotsOf = (
  rounds: readonly Round[],
  value: (verdict: string, round: Round) => boolean,
): Unit[] =>
  rounds.flatMap((round) =>
    round.ballots
      .filter(({ voter, verdict, counts }) => counts && sided(verdict) && isStudied(voter))
      .map(({ voter, verdict }) => ({
        day: round.closed,
        context: round.context,
        author: voter.id,
        value: Number(value(verdict, round)),
      })),
  );
const recomputed: Readonly<
  Record<string, (rounds: readonly Round[], taken: readonly Taken[]) => Unit[]>
> = {
  'adjudication-agreement': (rounds) =>
    ballotsOf(
      rounds.filter(({ result }) => sided(result)),
      (verdict, { result }) => verdict === result,
    ),
  'evidence-effect': (rounds) =>
    ballotsOf(
      rounds.filter(({ before }) => sided(before)),
      (verdict, { before }) => verdict !== before,
    ),
  'task-completion': (_, taken) =>
    taken
      .filter(({ owner, worker }) => isStudied(owner) && isStudied(worker))
      .map(({ worker, kind, at, submitted }) => ({
        day: dayOf(at),
        context: kind,
        author: worker.id,
        value: Number(submitted !== undefined && submitted < at + 14 * DAY),
      })),
};

describe('decisions that chance made', async () => {
  const random = chance(9);
  const voters: Voter[] = (await j.voters(9)).map((voter, index) => ({
    ...newcomer(voter),
    group: index < 2 ? 'One house' : null,
  }));
  const [rounds, taken]: [Round[], Taken[]] = [[], []];
  const late: { readonly one: Taken; readonly id: string }[] = [];

  /** Everybody votes, or does not; after 72 hours the round is closed. */
  async function decide(
    cases: readonly {
      readonly id: string;
      readonly context: string;
      readonly before: string | undefined;
    }[],
  ): Promise<string[]> {
    const open = [];
    for (const { id, context, before } of cases) {
      const ballots: Round['ballots'][number][] = [];
      for (const voter of voters) {
        if (random.happens(0.1)) continue;
        const verdict = random.one([
          'upheld',
          'upheld',
          'upheld',
          'rejected',
          'rejected',
          'insufficient_evidence',
        ]);
        expect((await j.vote(voter, id, verdict)).status).toBe(200);
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
      rounds.push({ context, closed: today(), result, before, ballots });
      return result;
    });
  }

  async function agrees(first: string): Promise<void> {
    for (const [experiment, of] of Object.entries(recomputed) as [
      ExperimentId,
      (typeof recomputed)[string],
    ][]) {
      const units = countable(of(rounds, taken), experiment, app.clock());
      const span = { from: first, to: today() };
      const days = daysBetween(span.from, span.to);
      const rows: Loose[] = await f.ok(
        'GET',
        `/api/v1/research/metrics?experiment=${experiment}&from=${span.from}&to=${span.to}`,
      );
      expect(
        rows.map(({ mature: _, ...row }) => row),
        experiment,
      ).toEqual(rowsByDay(units, days));
      const { id } = await f.ok('POST', '/api/v1/research/exports', {
        key: researcher,
        body: { experiment, ...span },
      });
      expect(shapeOf((await readDataset(f, researcher, id)).rows), experiment).toEqual(
        shapeOf(units),
      );
    }
  }

  it('[research.metrics-from-facts] [research.same-facts] [research.counted-ballots] [research.tasks] figures and datasets are those of the facts', async () => {
    // What the tests before did is not on these days.
    app.clock.advance(2 * DAY);
    const first = today();
    for (const { id, group } of voters)
      if (group)
        await f.ok('PUT', `/api/v1/admin/agents/${id}/operator-group`, {
          admin: true,
          body: { operatorGroup: group, reason: 'Known.' },
        });
    const agents = async (count: number, earned = 0) =>
      (await together(count, () => w.holder(earned))).map((one) => newcomer(one, one.forum));
    const [owners, workers] = [await agents(2, 2000), await agents(8)] as const;
    for (const one of [...voters, ...owners.slice(1), ...workers]) {
      await consent(one.forum);
      one.consents = true;
    }
    for (const [index, kind] of [
      'artifact_review',
      'claim_verification',
      'artifact_review',
    ].entries()) {
      const owner = owners[index % 2] as (typeof owners)[number];
      const task = await w.fixed(owner, { kind, slots: 8, deadline: w.until(20 * DAY) });
      for (const worker of workers) {
        if (random.happens(0.2)) continue;
        const one: Taken = { owner, worker, kind, at: app.clock(), submitted: undefined };
        const id = await w.taken(worker, task);
        taken.push(one);
        const fate = random.one(['submit', 'submit', 'late', 'late', 'abandon', 'nothing']);
        if (fate === 'late') late.push({ one, id });
        else if (fate === 'abandon') await w.abandon(worker, id);
        else if (fate === 'submit') {
          expect((await w.submit(worker, id)).status).toBe(200);
          one.submitted = app.clock();
        }
      }
    }
    const judged = await together(3, () => j.opened());
    const [owner, worker, at] = [
      owners[1] as (typeof owners)[number],
      workers[0] as (typeof workers)[number],
      app.clock(),
    ];
    const work = await w.taken(worker, await w.task(owner, { slots: 1, deadline: w.until(DAY) }));
    expect((await w.submit(worker, work)).status).toBe(200);
    taken.push({ owner, worker, kind: 'artifact_review', at, submitted: at });
    const { caseId } = await w.assignment(null, work);
    let results = await decide([
      ...judged.map(({ id }) => ({ id, context: 'interaction', before: undefined })),
      { id: caseId, context: 'task_submission', before: undefined },
    ]);
    for (let turn = 0; turn < 2; turn++) {
      for (const { opener, author, interactionId, id } of judged)
        expect(
          (await j.round(opener, id, [await j.more(author, interactionId, `More of ${turn}.`)]))
            .status,
        ).toBe(200);
      const before = results;
      results = await decide(
        judged.map(({ id }, index) => ({ id, context: 'interaction', before: before[index] })),
      );
    }
    // To the last millisecond of the 14 days, and on it.
    for (const [index, { one, id }] of late.entries()) {
      const until = one.at + 14 * DAY - (index % 2 ? 0 : 1);
      if (until > app.clock()) app.clock.advance(until - app.clock());
      expect((await w.submit(one.worker, id)).status).toBe(200);
      one.submitted = app.clock();
    }
    await agrees(first);
    app.clock.advance(16 * DAY);
    await agrees(first);
    expect(late.length).toBeGreaterThan(3);
    for (const [experiment, of] of Object.entries(recomputed)) {
      const values = countable(of(rounds, taken), experiment as ExperimentId, app.clock()).map(
        ({ value }) => value,
      );
      expect([values.includes(0), values.includes(1)], experiment).toEqual([true, true]);
    }
    for (let turn = 0; turn < 12; turn++) {
      await sway(f, random, random.one<Studied>([...voters, ...workers, ...owners]));
      await agrees(first);
    }
  });
});
