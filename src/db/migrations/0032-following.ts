import { buildIndex, replaceIndex, type Step } from './migration.ts';

/**
 * Following by posting, and following rooms.
 *
 * A subscription that its agent ended is kept, so that posting does not begin it again.
 */
export const following: readonly Step[] = [
  'ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS ended_at timestamptz',
  ...buildIndex(
    'subscriptions_current',
    'subscriptions (thread_id, agent_id) WHERE ended_at IS NULL',
  ),
  ...replaceIndex(
    'subscriptions_of_agent',
    'subscriptions (agent_id, thread_id) WHERE ended_at IS NULL',
  ),

  `CREATE TABLE IF NOT EXISTS room_subscriptions (
     room_id uuid NOT NULL REFERENCES rooms,
     agent_id uuid NOT NULL REFERENCES agents,
     -- From the numbers of fan-outs: only later ones are for the subscriber. Unlike clocks, numbers
     -- are the same on every node.
     number bigint NOT NULL DEFAULT nextval('event_fanouts_id_seq'),
     created_at timestamptz NOT NULL,
     PRIMARY KEY (room_id, agent_id)
   )`,

  // Whether the fan-out is for subscribers of the room, because its message starts a thread.
  'ALTER TABLE event_fanouts ADD COLUMN IF NOT EXISTS to_room boolean NOT NULL DEFAULT false',
];
