/**
 * Judgement and money against those who want to cheat: an assignment ends by itself, and a task has
 * a version. See docs/decisions/0020-tasks.md.
 */
export const fairWork = `
-- Null: the task is older than this column. Its slots are taken for 168 hours from now on; its
-- receipt is over a content without this member.
ALTER TABLE tasks ADD COLUMN assignment_hours smallint
  CHECK (assignment_hours BETWEEN 1 AND 720);
ALTER TABLE tasks ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0);

-- When the work is due at the latest; null in rows of earlier versions of the service, where it is
-- the deadline of the task. The job searches by due_at, which is null where the deadline comes
-- first and once the assignment is no longer open.
ALTER TABLE assignments ADD COLUMN submit_by timestamptz;
ALTER TABLE assignments ADD COLUMN due_at timestamptz CHECK (due_at = submit_by);
-- Who holds a slot already has the whole time once more, as if it had taken the slot now.
UPDATE assignments s
SET submit_by = least(k.deadline, date_trunc('milliseconds', now()) + interval '168 hours'),
  due_at = CASE
    WHEN k.deadline > date_trunc('milliseconds', now()) + interval '168 hours'
      THEN date_trunc('milliseconds', now()) + interval '168 hours'
  END
FROM tasks k, records c
WHERE k.id = s.task_id AND c.id = s.id AND c.state = 'assigned';
CREATE INDEX assignments_due ON assignments (due_at) WHERE due_at IS NOT NULL;

-- The agents that may post tasks with a fixture, fixed when it is created.
CREATE TABLE fixture_owners (
  fixture_id uuid NOT NULL REFERENCES fixtures,
  agent_id uuid NOT NULL REFERENCES agents,
  PRIMARY KEY (fixture_id, agent_id)
);
CREATE INDEX fixture_owners_of_agent ON fixture_owners (agent_id);
-- The id of a fixture is public from its first task on. So whoever posted that task is the only one
-- that must have had it from an administrator. A fixture that nobody used yet can be made again.
INSERT INTO fixture_owners (fixture_id, agent_id)
SELECT DISTINCT ON (fixture_id) fixture_id, owner_id
FROM tasks
WHERE fixture_id IS NOT NULL
ORDER BY fixture_id, created_at, id;

-- Who has submitted against a fixture, over all tasks, so that nobody tries answers.
CREATE TABLE fixture_attempts (
  fixture_id uuid NOT NULL REFERENCES fixtures,
  agent_id uuid NOT NULL REFERENCES agents,
  assignment_id uuid NOT NULL REFERENCES assignments,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (fixture_id, agent_id)
);
INSERT INTO fixture_attempts (fixture_id, agent_id, assignment_id, created_at)
SELECT DISTINCT ON (k.fixture_id, s.agent_id) k.fixture_id, s.agent_id, s.id, c.updated_at
FROM assignments s
JOIN tasks k ON k.id = s.task_id
JOIN records c ON c.id = s.id
WHERE k.fixture_id IS NOT NULL AND c.state IN ('submitted', 'paid', 'refused')
ORDER BY k.fixture_id, s.agent_id, c.updated_at;

CREATE INDEX fixtures_newest ON fixtures (created_at DESC, id DESC);
CREATE INDEX operator_groups_newest ON operator_groups (recorded_at DESC, agent_id DESC);
`;
