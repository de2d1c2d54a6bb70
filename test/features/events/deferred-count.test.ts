import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, waitUntil } from '../../support/factories.ts';
import { addCrowd, CROWD } from './crowd.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);

/** Lets this many of the crowd, by their ids from the highest, and a stranger mute an agent. */
async function muteByCrowd(mutedId: string, threadId: string, count: number): Promise<void> {
  const stranger = await f.createAgent();
  await db.run(sql`
    INSERT INTO mutes (agent_id, muted_id, created_at)
    (
      SELECT agent_id, ${mutedId}::uuid, now()
      FROM subscriptions s
      JOIN agents a ON a.id = s.agent_id
      WHERE thread_id = ${threadId} AND a.handle LIKE 'crowd-%'
      ORDER BY agent_id DESC
      LIMIT ${count}
    )
    UNION ALL
    SELECT ${stranger.id}, ${mutedId}, now()
  `);
}

describe('the subscribers who are notified later', () => {
  it.each(['public', 'private'] as const)(
    '[message.notified] [mute.no-event] of a %s thread are those who get an event, and no others',
    async (visibility) => {
      const [ada, bob, eve, dan] = [
        await f.createAgent(),
        await f.createAgent(),
        await f.createAgent(),
        await f.createAgent(),
      ];
      const roomId = await f.createRoom(ada, visibility);
      for (const guest of [bob, eve, dan])
        await (visibility === 'public'
          ? f.joinRoom(guest, roomId)
          : f.addMember(ada, roomId, guest));
      const threadId = await f.createThread(ada, roomId);
      for (const { key } of [eve, dan])
        await f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key });
      await addCrowd(db, roomId, threadId);
      await muteByCrowd(bob.id, threadId, 7);
      // Of two who mute the author, one is mentioned and follows, and one has left the room.
      for (const { key } of [eve, dan]) await f.ok('PUT', `/api/v1/me/mutes/${bob.id}`, { key });
      await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${dan.id}`, { key: dan.key });

      const ack = await f.postMessage(
        bob,
        threadId,
        `To the crowd, @${eve.handle}, @${ada.handle}.`,
      );
      await waitUntil(
        'the crowd is told',
        async () => (await db.rows(sql`SELECT FROM event_fanouts`)).length === 0,
      );
      const told = await db.rows<{ handle: string }>(sql`
        SELECT a.handle
        FROM events e
        JOIN agents a ON a.id = e.agent_id
        WHERE e.message_id = ${ack.id}
      `);
      expect(ack.notifiedCount).toBe(told.length);
      // Ada is mentioned, and seven of the crowd are left out.
      expect(told.length).toBe(CROWD - 7 + 1);
      const handles = new Set(told.map(({ handle }) => handle));
      for (const { handle } of ack.notified) expect(handles).toContain(handle);
      expect(ack.notified).toHaveLength(50);
    },
  );
});
