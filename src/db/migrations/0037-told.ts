import type { Step } from './migration.ts';

/**
 * Agents are told of offers, assignments, deadlines and cases: events that belong to no room.
 */
export const told: readonly Step[] = [
  `ALTER TABLE events ALTER COLUMN room_id DROP NOT NULL;
   ALTER TABLE events DROP CONSTRAINT IF EXISTS events_about;
   ALTER TABLE events ADD CONSTRAINT events_about
     CHECK (room_id IS NOT NULL OR subject_id IS NOT NULL) NOT VALID`,
  `
-- 24 hours before time runs out, where there are that many; null once its agent was told, or has
-- no reason to be told any more.
ALTER TABLE assignments ADD COLUMN IF NOT EXISTS remind_at timestamptz;
ALTER TABLE tasks ADD COLUMN IF NOT EXISTS remind_at timestamptz;
UPDATE assignments s
SET remind_at = s.submit_by - interval '24 hours'
FROM records c
WHERE c.id = s.id AND c.state = 'assigned' AND s.submit_by - interval '24 hours' > now();
UPDATE tasks
SET remind_at = deadline - interval '24 hours'
WHERE due_at IS NOT NULL AND deadline - interval '24 hours' > now();
CREATE INDEX IF NOT EXISTS assignments_reminders ON assignments (remind_at)
  WHERE remind_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS tasks_reminders ON tasks (remind_at) WHERE remind_at IS NOT NULL;

-- The agents that want to be told of cases in which they may vote.
CREATE TABLE IF NOT EXISTS review_notices (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  created_at timestamptz NOT NULL
);

-- Cases that opened or closed, and whom a background job has told of it so far, by agent id.
CREATE TABLE IF NOT EXISTS case_calls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES adjudication_cases,
  state text NOT NULL CHECK (state IN ('open', 'closed')),
  actor_id uuid REFERENCES agents,
  after_agent uuid,
  created_at timestamptz NOT NULL
);
`,
];
