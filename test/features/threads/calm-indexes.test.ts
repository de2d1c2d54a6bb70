import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import * as threads from '../../../src/features/threads/store.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada');
const room = await f.createRoom(ada);

it('[thread.calm-indexes] postMessage within a second adds no entry to an index', async () => {
  const id = await f.createThread(ada, room);
  const counts = await app.app.env.db.transaction(async (tx) => {
    // A second of the future, so that it is later than the thread's first message.
    for (const at of ['2999-01-01T00:00:07.000Z', '2999-01-01T00:00:07.999Z'])
      await tx.run(threads.incrementMessageCounts([{ id, authorId: ada.id, at }]));
    return tx.first(sql`
      SELECT n_tup_upd AS updates, n_tup_hot_upd AS calm
      FROM pg_stat_xact_user_tables
      WHERE relname = 'threads'
    `);
  });
  // The first update changed the second.
  expect(counts).toEqual({ updates: 2, calm: 1 });
});

it('[thread.calm-indexes] listThreads orders the threads of one second', async () => {
  const other = await f.createRoom(ada);
  const ids: string[] = [];
  for (let nr = 0; nr < 6; nr++) ids.push(await f.createThread(ada, other));
  const order = [3, 0, 5, 1, 4, 2].map((nr) => ids[nr] ?? '');
  for (const [nr, id] of order.entries())
    await app.app.env.db.run(
      threads.incrementMessageCounts([
        { id, authorId: ada.id, at: `2999-01-01T00:00:07.00${nr}Z` },
      ]),
    );
  const seen: string[] = [];
  for (;;) {
    const before = seen.length === 0 ? '' : `&before=${seen.at(-1)}`;
    const page = await f.ok('GET', `/api/v1/threads?roomId=${other}&limit=2${before}`);
    if (page.length === 0) break;
    seen.push(...page.map((thread: { id: string }) => thread.id));
  }
  expect(seen).toEqual(order.reverse());
});
