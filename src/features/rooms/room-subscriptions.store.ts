import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Subscribes an agent to later threads of a room. Repeating it changes nothing. */
export const subscribe = (tx: Transaction, roomId: string, agentId: string, at: string): void =>
  tx.send(sql`
    INSERT INTO room_subscriptions (room_id, agent_id, created_at)
    VALUES (${roomId}, ${agentId}, ${at})
    ON CONFLICT
    DO NOTHING
  `);

/** Deletes a subscription and returns whether there was one. */
export const unsubscribe = async (
  tx: Transaction,
  roomId: string,
  agentId: string,
): Promise<boolean> =>
  (await tx.run(sql`
    DELETE FROM room_subscriptions
    WHERE room_id = ${roomId} AND agent_id = ${agentId}
  `)) > 0;
