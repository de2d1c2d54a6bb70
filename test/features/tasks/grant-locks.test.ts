import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { waitForLocks } from '../../support/locks.ts';
import { taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const { db } = app.app.env;
const other = taskHelpers(app, factories(await app.startNode()));

it('[attack.50-2] (API4) nobody waits for a grant while words of a task are indexed', async () => {
  const first = await w.subsidy(20, { expiresAt: w.until(9_000) });
  const second = await w.subsidy(10);
  const slow = await w.createEnrolled();
  const late = await w.createEnrolled();
  const quick = await w.createEnrolled();
  const trial = { fundingUnit: 'trial', slots: 1, reward: 10 };
  // A private task is not indexed.
  const hidden = await other.inviteEnough(
    w.request({ ...trial, visibility: 'private', invitees: [] }),
  );
  const post = (owner: typeof slow) => w.send(owner, 'POST', 'tasks', w.request(trial));
  const { posting } = await db.transaction(async (tx) => {
    await tx.run(sql`LOCK TABLE name_words IN SHARE MODE`);
    const posting = [post(slow), post(late)];
    await waitForLocks(db, 1);
    // These two use up the first grant.
    for (let nr = 0; nr < 2; nr++) await other.must(quick, 'POST', 'tasks', hidden);
    return { posting };
  });
  const answers = await Promise.all(posting);
  // One gets the grant that expires later, and nothing is left for the other.
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(answers.find(({ status }) => status === 422)).toMatchObject(
    buildProblem(422, 'insufficient_funds'),
  );
  const funded = await db.rows(sql`
    SELECT subsidy_id AS grant, count(*)::int AS tasks
    FROM tasks
    WHERE subsidy_id IS NOT NULL
    GROUP BY 1
    ORDER BY 2
  `);
  expect(funded).toEqual([
    { grant: second.id, tasks: 1 },
    { grant: first.id, tasks: 2 },
  ]);
  const [words] = await db.rows(sql`
    SELECT count(*)::int AS count
    FROM name_words n
    WHERE type = 'task' AND NOT EXISTS (SELECT 1 FROM tasks k WHERE k.id = n.id)
  `);
  expect(words).toEqual({ count: 0 });
});
