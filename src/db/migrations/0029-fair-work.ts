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
`;
