import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import * as keys from '../../../src/features/keys/store.ts';
import { isReplacementUsed } from '../../../src/kernel/callers/callers.store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories, type TestAgent } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const MANY = 3_000;

/** Inserts keys of an agent: expired ones, or revoked ones. */
const insertEnded = async ({ id }: TestAgent, end: 'expired' | 'revoked') => {
  const before = toIso(app.clock() - 60_000);
  await db.run(sql`
    INSERT INTO api_keys (
      id, agent_id, kind, secret_sha256, prefix, scopes, created_at, expires_at, revoked_at
    )
    SELECT gen_random_uuid(), ${id}::uuid, 'scoped', sha256(convert_to(${end} || nr, 'UTF8')),
      'stoa_xxxxxxx', '{credits}', ${before}::timestamptz - nr * interval '1 second',
      CASE WHEN ${end} = 'expired' THEN ${before}::timestamptz END,
      CASE WHEN ${end} = 'revoked' THEN ${before}::timestamptz END
    FROM generate_series(1, ${MANY}) nr
  `);
  await db.run(sql`ANALYZE api_keys`);
};

it('[attack.23-1] (API4) lists of keys visit none that has expired for good', async () => {
  const agent = await f.createAgent();
  const { id } = await f.createScopedKey(agent, ['forum']);
  await insertEnded(agent, 'expired');
  const now = toIso(app.clock());
  let listed: readonly { readonly id: string }[] = [];
  const visited = await countVisitedBy(db, 'api_keys', async (counting) => {
    listed = await keys.list(counting, agent.id, id, now);
    expect(await keys.countLive(counting, agent.id, now)).toBe(2);
  });
  expect(listed).toHaveLength(2);
  expect(visited).toBeLessThan(20);
  // An administrator who recovers the agent ends both.
  await db.transaction((tx) => keys.revokeAll(tx, agent.id, now));
  expect(await keys.countLive(db, agent.id, now)).toBe(0);
});

it('[attack.23-2] (API4) a rotation that is repeated visits keys of its time only', async () => {
  const agent = await f.createAgent();
  const { id } = await f.createScopedKey(agent, ['forum']);
  await insertEnded(agent, 'revoked');
  const now = toIso(app.clock());
  const visited = await countVisitedBy(db, 'api_keys', async (counting) => {
    expect(await isReplacementUsed(counting, agent.id, id, now)).toBe(false);
  });
  expect(visited).toBeLessThan(20);
});
