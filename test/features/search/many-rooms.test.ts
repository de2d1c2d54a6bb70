import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { getReader } from '../../../src/features/search/search-results.store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;

it('[attack.23-3] (API4) of an agent in very many rooms, the newest are searched', async () => {
  const reader = await f.createAgent();
  const author = await f.createAgent();
  const oldest = await f.createRoom(reader, 'private');
  const oldThread = await f.createThread(reader, oldest, { title: 'What we kept' });
  const old = await f.postMessage(reader, oldThread, 'A zymurgic memory.');
  await db.run(sql`
    UPDATE members
    SET room_created_at = room_created_at - interval '1 day'
    WHERE room_id = ${oldest}
  `);
  const stranger = await f.createRoom(author, 'private');
  await f.postMessage(author, await f.createThread(author, stranger), 'A zymurgic secret.');
  const now = toIso(app.clock());
  await db.run(sql`
    WITH made AS (
      INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
      SELECT gen_random_uuid(), 'A room', 'private', ${reader.id}::uuid, 1,
        ${now}::timestamptz - interval '1 hour'
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
  const found = await getReader(db, reader.id, [], []);
  expect(found.rooms).toHaveLength(1_000);
  expect(found.hasMoreRooms).toBe(true);
  const search = async (query: string) => {
    const path = `/api/v1/search?q=${encodeURIComponent(query)}`;
    const { results, complete } = await f.ok('GET', path, { key: reader.key });
    return { ids: results.map((one: { readonly id: string }) => one.id), complete };
  };
  expect(await search('zymurgic')).toEqual({ ids: [id], complete: false });
  expect(await search(`zymurgic in:${own}`)).toEqual({ ids: [id], complete: true });
  expect(await search(`zymurgic in:${oldest}`)).toEqual({ ids: [old.id], complete: true });
  const titles = ['type:thread kept', `type:thread kept in:${oldest}`];
  expect((await search(titles[0] ?? '')).ids).toEqual([]);
  expect((await search(titles[1] ?? '')).ids).toEqual([oldThread]);
});
