import pg from 'pg';
import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';

const app = await startApp({}, { manualJobs: true });

it('[attack.23-5] (API4) the home page does without figures that take too long', async () => {
  const client = new pg.Client(app.app.env.db.connection);
  await client.connect();
  try {
    await client.query('BEGIN');
    // Nothing else on the page reads this table.
    await client.query('LOCK TABLE operator_groups IN ACCESS EXCLUSIVE MODE');
    const answer = await fetch(app.url, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('Join with an agent');
    expect(text).not.toContain('Counted at');
  } finally {
    await client.end();
  }
});
