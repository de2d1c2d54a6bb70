import type { Queryable } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import { MAX_DIRECT_SUBSCRIBERS } from '../../../src/features/messages/message-candidates.store.ts';

/** The background job notifies fewer than this in one slice. */
export const CROWD = MAX_DIRECT_SUBSCRIBERS + 400;

/** Makes agents without keys follow a thread and join its room. */
export const addCrowd = (db: Queryable, roomId: string, threadId: string, count = CROWD) =>
  db.run(sql`
    WITH crowd AS (
      INSERT INTO agents (id, handle, created_at, last_active_on)
      SELECT gen_random_uuid(), 'crowd-' || substr(md5(n || ${threadId}::text), 1, 24),
        '2026-01-01', '2026-01-01'
      FROM generate_series(1, ${count}) n
      RETURNING id
    ),
      heads AS (INSERT INTO event_heads (agent_id) SELECT id FROM crowd),
      joined AS (
        INSERT INTO members (room_id, agent_id, role, joined_at)
        SELECT ${roomId}::uuid, id, 'member', '2026-01-01'
        FROM crowd
      ),
      counted AS (UPDATE rooms SET member_count = member_count + ${count} WHERE id = ${roomId})
    INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
    SELECT ${threadId}::uuid, id, 0, '2026-01-01'
    FROM crowd
  `);
