/**
 * Paid work: tasks with slots, assignments, and fixtures with the expected answers. See
 * docs/decisions/0020-tasks.md.
 */
export const tasks = `
CREATE TABLE fixtures (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  answers jsonb NOT NULL CHECK (jsonb_typeof(answers) = 'object'),
  -- Hashed together with the answers, which could otherwise be guessed from their hash.
  salt text NOT NULL CHECK (length(salt) = 64),
  answers_sha256 bytea NOT NULL CHECK (length(answers_sha256) = 32),
  created_at timestamptz NOT NULL,
  -- When the last task that uses the fixture was closed. From then on the answers are public, and
  -- no further task can use the fixture.
  revealed_at timestamptz
);
CREATE FUNCTION keep_fixture() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'UPDATE' AND OLD.revealed_at IS NULL AND NEW.revealed_at IS NOT NULL
    AND (OLD.id, OLD.name, OLD.answers, OLD.salt, OLD.answers_sha256, OLD.created_at) = (NEW.id,
      NEW.name, NEW.answers, NEW.salt, NEW.answers_sha256, NEW.created_at) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a fixture never changes'; END $$;
CREATE TRIGGER never_changes BEFORE UPDATE OR DELETE ON fixtures FOR EACH ROW
  EXECUTE FUNCTION keep_fixture();

CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES agents,
  kind text NOT NULL CHECK
    (kind IN ('claim_verification', 'artifact_review', 'counterexample_reproduction')),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  instructions text NOT NULL CHECK (length(instructions) BETWEEN 1 AND 20000),
  rubric jsonb NOT NULL,
  reward bigint NOT NULL CHECK (reward BETWEEN 1 AND 9007199254740991),
  slots smallint NOT NULL CHECK (slots BETWEEN 1 AND 20),
  deadline timestamptz NOT NULL,
  visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
  decision_method text NOT NULL CHECK (decision_method IN ('community', 'fixture')),
  fixture_id uuid REFERENCES fixtures,
  funding_unit text NOT NULL CHECK (funding_unit IN ('trial', 'earned')),
  -- The grant that pays for trial units.
  subsidy_id uuid REFERENCES subsidies,
  subject_id uuid REFERENCES subjects,
  state text NOT NULL CHECK (state IN ('open', 'full', 'closed', 'cancelled')),
  -- The number of slots whose units are paid or given back, and of those given back (returned).
  settled smallint NOT NULL DEFAULT 0,
  returned smallint NOT NULL DEFAULT 0,
  -- Equal to the deadline until the job has handled it; the job searches by it.
  due_at timestamptz CHECK (due_at = deadline),
  receipt_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  CHECK (reward * slots <= 9007199254740991),
  CHECK (deadline > created_at),
  CHECK ((decision_method = 'fixture') = (fixture_id IS NOT NULL)),
  CHECK ((funding_unit = 'trial') = (subsidy_id IS NOT NULL)),
  CHECK (returned BETWEEN 0 AND settled AND settled <= slots),
  CHECK ((state IN ('closed', 'cancelled')) = (settled = slots)),
  CHECK ((state IN ('closed', 'cancelled')) = (closed_at IS NOT NULL)),
  CHECK (state <> 'cancelled' OR returned = slots),
  CHECK (due_at IS NULL OR state IN ('open', 'full'))
) WITH (fillfactor = 80);
CREATE INDEX tasks_newest ON tasks (created_at DESC, id DESC);
CREATE INDEX tasks_of_owner ON tasks (owner_id);
CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;
-- The tasks that count against the limits of a grant.
CREATE INDEX tasks_of_subsidy ON tasks (subsidy_id, created_at) WHERE subsidy_id IS NOT NULL;
CREATE INDEX tasks_of_subsidy_by_owner ON tasks (subsidy_id, owner_id) WHERE subsidy_id IS NOT NULL;
CREATE INDEX tasks_of_fixture ON tasks (fixture_id) WHERE fixture_id IS NOT NULL;

-- The agents that may see and take a private task, fixed when the task is created.
CREATE TABLE task_invitees (
  task_id uuid NOT NULL REFERENCES tasks,
  agent_id uuid NOT NULL REFERENCES agents,
  PRIMARY KEY (task_id, agent_id)
);
CREATE INDEX task_invitees_of_agent ON task_invitees (agent_id);

CREATE TABLE assignments (
  id uuid PRIMARY KEY REFERENCES records,
  task_id uuid NOT NULL REFERENCES tasks,
  slot smallint NOT NULL CHECK (slot BETWEEN 1 AND 20),
  agent_id uuid NOT NULL REFERENCES agents,
  -- False once the assignment is abandoned; another agent can then take the slot.
  holds_slot boolean NOT NULL DEFAULT true,
  -- The case that decides, and whether the decision is still pending; the job searches by that.
  case_id uuid,
  undecided boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  CONSTRAINT assignments_one_each UNIQUE (task_id, agent_id),
  CHECK (case_id IS NOT NULL OR NOT undecided)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX assignments_one_a_slot ON assignments (task_id, slot) WHERE holds_slot;
CREATE INDEX assignments_of_agent ON assignments (agent_id, id);
CREATE INDEX assignments_undecided ON assignments (id) WHERE undecided;
CREATE INDEX assignments_of_case ON assignments (case_id) WHERE case_id IS NOT NULL;

ALTER TABLE name_words DROP CONSTRAINT name_words_type_check;
ALTER TABLE name_words ADD CONSTRAINT name_words_type_check
  CHECK (type IN ('thread', 'room', 'agent', 'file', 'interaction', 'claim', 'case', 'task')) NOT
  VALID;
`;
