import { describe, expect, it } from 'vitest';
import { ADJUDICATION, judges } from './adjudication.ts';
import { startApp } from './app.ts';
import { factories, type Loose, type TestAgent, together } from './factories.ts';
import { RECORDS } from './records.ts';
import { DAY, RESEARCH, readDataset } from './research.ts';
import { TASKS, works } from './tasks.ts';

/** What is counted of decisions: ballots of rounds, and assignments of tasks. */
const app = await startApp({ ...RECORDS, ...ADJUDICATION, ...TASKS, ...RESEARCH });
const f = factories(app);
const [j, w] = [judges(f), works(app, f)];
const researcher = await f.keyWith(await f.agent(), 'research');

const today = () => new Date(app.clock()).toISOString().slice(0, 10);
const consent = (key: string, yes = true) => f.ok('PUT', '/api/v1/me/research-consent', { key, body: { consent: yes } });
/** Days with a rate, from before anything happened until today; each is what the dataset gives too. */
async function rates(experiment: string): Promise<string[]> {
  const span = { from: '2026-03-01', to: today() };
  const rows: Loose[] = await f.ok('GET', `/api/v1/research/metrics?experiment=${experiment}&from=${span.from}&to=${span.to}`);
  const { id } = await f.ok('POST', '/api/v1/research/exports', { key: researcher, body: { experiment, ...span } });
  const units = (await readDataset(f, researcher, id)).rows;
  for (const { day, numerator, denominator } of rows) {
    const own = units.filter((row) => row.day === day);
    expect([own.filter(({ value }) => value >= 1).length, own.length]).toEqual([numerator, denominator]);
  }
  return rows.flatMap(({ numerator, denominator, rate }) => (rate === null ? [] : [`${numerator}/${denominator}`]));
}

describe('ballots', () => {
  it('[research.counted-ballots] count for one side or the other, once their round has closed', async () => {
    const voters = await j.voters(10);
    for (const { key } of voters.slice(0, 9)) await consent(key);
    const { id, author, opener, interactionId } = await j.opened();
    const vote = async (verdicts: readonly string[]) => {
      for (const [index, verdict] of verdicts.entries()) expect((await j.vote(voters[index] as TestAgent, id, verdict)).status).toBe(200);
    };
    // The last two do not count: one takes no side, one does not consent.
    await vote(['upheld', 'upheld', 'upheld', 'upheld', 'upheld', 'rejected', 'rejected', 'rejected', 'insufficient_evidence', 'upheld']);
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
    await f.ok('PUT', `/api/v1/admin/agents/${voters[1]?.id}/block`, { admin: true, body: { blocked: true } });
    expect(await rates('adjudication-agreement')).toEqual(['3/6', '4/5']);
    expect(await rates('evidence-effect')).toEqual(['4/5']);
  });
});

describe('assignments', () => {
  it('[research.tasks] count when owner and worker consent, and the task is public', async () => {
    const [owner, workers] = [await w.holder(1000), await together(7, () => w.holder())];
    for (const { forum } of workers.slice(0, 6)) await consent(forum);
    for (const visibility of ['public', 'private']) {
      const invitees = visibility === 'private' ? { invitees: workers.map(({ handle }) => handle) } : {};
      const task = await w.fixed(owner, { slots: 7, visibility, ...invitees });
      const taken = await Promise.all(workers.map((worker) => w.taken(worker, task)));
      for (const index of [0, 1, 2, 6]) expect((await w.submit(workers[index] as (typeof workers)[number], taken[index] as string)).status).toBe(200);
      expect((await w.abandon(workers[3] as (typeof workers)[number], taken[3] as string)).status).toBe(200);
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
