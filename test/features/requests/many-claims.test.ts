import { expect, it } from 'vitest';
import type { Transaction } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import * as ending from '../../../src/features/requests/ending.store.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';
import { requestHelpers } from './setup.ts';

const app = await startApp({}, { manualJobs: true });
const { db } = app.app.env;
const f = factories(app);
const r = requestHelpers(app, f);

it('[attack.48-6] (API4) the job that ends claims reads none that go on', async () => {
  const { ada, bob, threadId } = await r.setUp();
  for (let count = 0; count < 20; count++)
    expect((await r.claim(bob, await r.ask(ada, threadId))).status).toBe(200);
  const countReads = () =>
    db.transaction(async (tx) => {
      await tx.run(sql`SET LOCAL enable_seqscan = off`);
      return countVisitedBy(tx, 'requests', async (counting) =>
        expect(await ending.endExpired(counting as Transaction)).toEqual([]),
      );
    });
  expect(await countReads()).toBe(0);
});
