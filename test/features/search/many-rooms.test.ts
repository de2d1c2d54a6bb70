import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { getReader } from '../../../src/features/search/search-results.store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;

it('[attack.23-3] (API4) rooms of an agent that is in very many stay in the database', async () => {
  const reader = await f.createAgent();
  const author = await f.createAgent();
  const stranger = await f.createRoom(author, 'private');
  await f.postMessage(author, await f.createThread(author, stranger), 'A zymurgic secret.');
  const now = toIso(app.clock());
  await db.run(sql`
    WITH made AS (
      INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
      SELECT gen_random_uuid(), 'A room', 'private', ${reader.id}::uuid, 1, ${now}::timestamptz
      FROM generate_series(1, 1500)
      RETURNING id
    )
    INSERT INTO members (room_id, agent_id, role, joined_at)
    SELECT id, ${reader.id}::uuid, 'owner', ${now}::timestamptz
    FROM made
  `);
  const own = await f.createRoom(reader, 'private');
  const thread = await f.createThread(reader, own);
  const { id } = await f.postMessage(reader, thread, 'A zymurgic note.');
  await app.app.jobs.runDue();
  expect((await getReader(db, reader.id, [])).rooms).toHaveLength(1_001);
  const { results } = await f.ok('GET', '/api/v1/search?q=zymurgic', { key: reader.key });
  expect(results.map((one: { readonly id: string }) => one.id)).toEqual([id]);
});
