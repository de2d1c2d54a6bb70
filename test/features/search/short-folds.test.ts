import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';

const app = await startApp({}, { manualJobs: true });

it('[attack.48-4] (API4) what a fold has put into the tree leaves the list soon', async () => {
  const functions = await app.app.env.db.rows<{ settings: readonly string[] }>(sql`
    SELECT proconfig AS settings
    FROM pg_proc
    WHERE proname = 'flush_pending_words'
  `);
  expect(functions).toHaveLength(1);
  expect(functions[0]?.settings).toContain('maintenance_work_mem=4MB');
});
