import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { listStreamStates } from '../../../src/features/events/store.ts';
import { reasonBits } from '../../../src/kernel/effects.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;

it('[attack.22-2] (API4) of events that nobody may see any more few are looked at', async () => {
  const owner = await f.createAgent();
  const gone = await f.createAgent();
  const room = await f.createRoom(owner);
  await f.joinRoom(gone, room);
  const thread = await f.createThread(owner, room, { visibility: 'private' });
  await f.postMessage(owner, thread, `@${gone.handle}`);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${gone.id}`, { key: gone.key });
  const addEvents = (count: number) =>
    db.run(sql`
      WITH last AS (
        SELECT * FROM events WHERE agent_id = ${gone.id} ORDER BY seq DESC LIMIT 1
      ),
        added AS (
          INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
          SELECT agent_id, seq + nr, ${reasonBits.mention}, room_id, message_id, actor_id,
            created_at
          FROM last
          CROSS JOIN generate_series(1, ${count}) nr
        )
      UPDATE event_heads
      SET head = head + ${count}
      WHERE agent_id = ${gone.id}
    `);
  const look = async (cursor: number) =>
    (await listStreamStates(db, [{ agentId: gone.id, cursor }], 0))[0];
  expect(await look(0)).toMatchObject({ head: 1, visible: false, lookedAt: 1 });
  await addEvents(1_200);
  expect(await look(0)).toMatchObject({ head: 1_201, visible: false, lookedAt: 500 });
  expect(await look(1_000)).toMatchObject({ visible: false, lookedAt: 1_201 });
  expect(await look(1_201)).toMatchObject({ visible: false, lookedAt: 1_201 });
  // It may read on once it is a member again, and is told of what it has not looked at.
  await f.joinRoom(gone, room);
  expect(await look(500)).toMatchObject({ head: 1_201, visible: true });
});
