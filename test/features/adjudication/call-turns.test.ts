import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { insertCalls } from '../../../src/features/adjudication/case-calls.store.ts';
import { startApp } from '../../support/app.ts';
import { factories, type TestAgent } from '../../support/factories.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { adjudicationHelpers, adjudicationSettings } from './setup.ts';

const app = await startApp(
  { ...interactionSettings, ...adjudicationSettings },
  { manualJobs: true },
);
const f = factories(app);
const j = adjudicationHelpers(f);
const { db } = app.app.env;

it('[attack.14-3] (API4) calls about cases of one opener delay no others', async () => {
  const [asked, greedy, other] = (await j.createVoters(3)) as [TestAgent, TestAgent, TestAgent];
  await j.r.must(asked, 'reviewer', 'PUT', '/api/v1/me/review-notices', { enabled: true });
  const open = async (opener: TestAgent) => {
    const recorded = await j.r.recordInteraction(opener, { agent: asked.handle });
    return (await j.openCase(opener, recorded.id)).id as string;
  };
  const many: string[] = [];
  for (let nr = 0; nr < 5; nr++) many.push(await open(greedy));
  const single = await open(other);
  many.push(await open(greedy));
  const rows = await db.rows<{ id: string }>(sql`
    SELECT case_id AS id FROM case_calls ORDER BY turn, id
  `);
  const order = rows.map(({ id }) => id);
  expect(order.indexOf(single)).toBeLessThanOrEqual(2);
  expect(order.filter((id) => id !== single)).toEqual(many);
  await app.app.jobs.runDue();
  expect(await db.first(sql`SELECT 1 FROM case_calls`)).toBeUndefined();
  // What closes at once comes one after the other, too, and case by case.
  const now = new Date(app.clock()).toISOString();
  const toCall = (caseId: string) => ({ caseId, state: 'closed', actorId: null, now }) as const;
  await db.transaction(async (tx) => insertCalls(tx, many.map(toCall)));
  await db.transaction(async (tx) => insertCalls(tx, [toCall(single)]));
  const turns = await db.rows<{ id: string; turn: number }>(sql`
    SELECT case_id AS id, turn::int FROM case_calls ORDER BY turn, id
  `);
  expect(turns.filter(({ id }) => id !== single).map(({ turn }) => turn)).toEqual(
    many.map((_, nr) => nr + 1),
  );
  expect(turns.findIndex(({ id }) => id === single)).toBeLessThanOrEqual(2);
  await db.run(sql`DELETE FROM case_calls`);
});
