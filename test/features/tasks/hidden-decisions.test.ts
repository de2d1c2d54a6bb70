import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, waitUntil } from '../../support/factories.ts';
import { rightWork, taskHelpers, taskSettings, wrongWork } from './setup.ts';

/* What a call waits for, and for how long, tells its caller nothing that the answer does not. */

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const { db } = app.app.env;

/** Whether a transaction waits for an account that another has locked. */
const isAccountAwaited = async () =>
  (
    await db.rows(sql`
      SELECT 1
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%ledger%'
        AND query NOT LIKE '%pg_stat_activity%'
    `)
  ).length > 0;

describe('submitWork', () => {
  it.for([
    ['right', 'worker', rightWork, 'paid'],
    ['right', 'owner', rightWork, 'paid'],
    ['wrong', 'worker', wrongWork, 'refused'],
    ['wrong', 'owner', wrongWork, 'refused'],
  ] as const)(
    '[attack.37-1] (API6) submitWork waits, with %s answers, for the units of the %s',
    async ([, whose, work, state]) => {
      const owner = await w.createHolder(10);
      const worker = await w.createHolder(1);
      const { id: fixtureId } = await w.createAnswerFixture(owner);
      const task = w.request({ decisionMethod: 'fixture', fixtureId, slots: 2, reward: 1 });
      const { id } = await w.must(owner, 'POST', 'tasks', task);
      const assignment = await w.createAssignment(worker, id);
      const account = `earned:available:${{ owner, worker }[whose].id}`;
      const submission = await db.transaction(async (tx) => {
        const locked = await tx.run(
          sql`SELECT 1 FROM ledger_accounts WHERE name = ${account} FOR UPDATE`,
        );
        expect(locked).toBe(1);
        const sent = w.submitWork(worker, assignment, work);
        await waitUntil('it waits', isAccountAwaited);
        return [sent] as const;
      });
      expect((await submission[0]).body).toMatchObject({ state });
    },
  );
});

describe('createTask', () => {
  it('[attack.37-2] (API1) createTask without the units names no subject', async () => {
    const owner = await w.createHolder(3);
    const subject = { type: 'url', value: 'https://example.org/named-by-whom' };
    const invitees = [(await f.createAgent()).id];
    const { id: fixtureId } = await w.createAnswerFixture(owner);
    const task = w.request({ visibility: 'private', invitees, subject: { subject }, slots: 2 });
    await db.transaction(async (tx) => {
      await tx.run(sql`LOCK TABLE subjects IN SHARE MODE`);
      expect(
        await w.send(owner, 'POST', 'tasks', { ...task, decisionMethod: 'fixture', fixtureId }),
      ).toMatchObject({ body: { code: 'insufficient_funds' } });
    });
  });
});

it('[attack.59-2] (API1) who may not use a fixture does not wait for it', async () => {
  const owner = await w.createHolder(10);
  const stranger = await w.createHolder(10);
  const { id: fixtureId } = await w.createAnswerFixture(owner);
  const task = w.request({ decisionMethod: 'fixture', fixtureId, slots: 1, reward: 1 });
  await db.transaction(async (tx) => {
    await tx.run(sql`SELECT 1 FROM fixtures WHERE id = ${fixtureId} FOR UPDATE`);
    expect(await w.send(stranger, 'POST', 'tasks', task)).toMatchObject(
      buildProblem(422, 'not_eligible', { reason: 'fixture_not_yours' }),
    );
  });
});

describe('takeAssignment', () => {
  it('[attack.37-5] (API1) takeAssignment waits for no owner of a hidden task', async () => {
    const owner = await w.createHolder(10);
    const stranger = await w.createHolder();
    const { id: fixtureId } = await w.createAnswerFixture(owner);
    const invitees = [(await f.createAgent()).id];
    const task = w.request({ visibility: 'private', invitees, slots: 1, reward: 1 });
    const { id } = await w.must(owner, 'POST', 'tasks', {
      ...task,
      decisionMethod: 'fixture',
      fixtureId,
    });
    await db.transaction(async (tx) => {
      await tx.run(sql`SELECT 1 FROM agents WHERE id = ${owner.id} FOR UPDATE`);
      expect(await w.takeAssignment(stranger, id)).toMatchObject(buildProblem(404, 'not_found'));
    });
  });
});
