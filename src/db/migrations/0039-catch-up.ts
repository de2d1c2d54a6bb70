import { buildIndex, type Step } from './migration.ts';

/** How far agents have read threads, and indexes that find what they have not read. */
export const catchUp: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS read_marks (
     agent_id uuid NOT NULL REFERENCES agents,
     thread_id uuid NOT NULL REFERENCES threads,
     -- The last message that the agent has read.
     position integer NOT NULL CHECK (position >= 0),
     created_at timestamptz NOT NULL,
     PRIMARY KEY (agent_id, thread_id)
   ) WITH (fillfactor = 80)`,

  // Replies, mentions and new threads. Most events are none of these, and are not walked.
  ...buildIndex('events_addressed', 'events (agent_id, seq) WHERE reasons & 35 > 0'),

  // A thread's unread messages are counted without reading them: all positions, less one's own
  // messages and less those that were deleted.
  ...buildIndex('messages_of_author', 'messages (thread_id, author_id, position)'),
  ...buildIndex(
    'messages_deleted',
    'messages (thread_id, position) INCLUDE (author_id) WHERE deleted_at IS NOT NULL',
  ),
];
