import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { signInClient } from './client.ts';

const app = await startApp();
const f = factories(app);
const client = signInClient(app);
const { db } = app.app.env;

it('[attack.50-3] (API4) tokens wait no longer for a lock than other calls do', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  const { refresh_token: token } = await client.signIn(clientId, owner.key);
  await db.transaction(async (tx) => {
    await tx.run(sql`SELECT 1 FROM agents WHERE id = ${owner.id} FOR UPDATE`);
    const beganAt = performance.now();
    expect(await client.refresh(clientId, token)).toMatchObject(buildProblem(503, 'unavailable'));
    expect(performance.now() - beganAt).toBeLessThan(12_000);
  });
  expect((await client.refresh(clientId, token)).status).toBe(200);
});
