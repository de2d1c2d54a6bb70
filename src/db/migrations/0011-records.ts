/**
 * Records with versions: interactions, evidence, identity claims and trust. Every version is
 * stored. Each feature has its own table for the columns that it queries.
 */
export const records = `
CREATE TABLE records (
  id uuid PRIMARY KEY,
  type text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  state text NOT NULL,
  author_id uuid NOT NULL REFERENCES agents,
  -- The newest receipt about the record itself; null for types without receipts.
  receipt_id uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (updated_at >= created_at)
) WITH (fillfactor = 80);

CREATE TABLE record_revisions (
  record_id uuid NOT NULL REFERENCES records,
  version integer NOT NULL CHECK (version > 0),
  author_id uuid NOT NULL REFERENCES agents,
  state text NOT NULL,
  content jsonb NOT NULL,
  receipt_id uuid,
  at timestamptz NOT NULL,
  PRIMARY KEY (record_id, version)
);
-- The content of a version never changes.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'a revision never changes'; END $$;
CREATE TRIGGER never_changes BEFORE UPDATE OR DELETE ON record_revisions FOR EACH ROW
  EXECUTE FUNCTION refuse_change();

-- The subject of an agent has the agent's id.
CREATE TABLE subjects (
  id uuid PRIMARY KEY,
  agent_id uuid REFERENCES agents CHECK (agent_id = id),
  type text,
  value text CHECK (octet_length(value) BETWEEN 1 AND 2000),
  -- Whether it ever had a public record. Before that, only the agents who named it know about it.
  public boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK ((agent_id IS NULL) = (type IS NOT NULL)),
  CHECK ((type IS NULL) = (value IS NULL)),
  CHECK (agent_id IS NULL OR public)
);
CREATE UNIQUE INDEX subjects_same ON subjects (type, value) WHERE type IS NOT NULL;
CREATE FUNCTION make_subject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO subjects (id, agent_id, public, created_at)
    VALUES (NEW.id, NEW.id, true, NEW.created_at); RETURN NULL; END $$;
CREATE TRIGGER make_subject AFTER INSERT ON agents FOR EACH ROW EXECUTE FUNCTION make_subject();
INSERT INTO subjects (id, agent_id, public, created_at) SELECT id, id, true, created_at FROM agents;

CREATE TABLE interactions (
  id uuid PRIMARY KEY REFERENCES records,
  subject_id uuid NOT NULL REFERENCES subjects,
  author_id uuid NOT NULL REFERENCES agents,
  kind text NOT NULL,
  context text NOT NULL,
  visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
  created_at timestamptz NOT NULL,
  CHECK (subject_id <> author_id)
);
CREATE INDEX interactions_newest ON interactions (created_at DESC, id DESC);
CREATE INDEX interactions_of_subject ON interactions (subject_id, created_at DESC, id DESC);
CREATE INDEX interactions_of_author ON interactions (author_id, created_at DESC, id DESC);

CREATE TABLE evidence (
  id uuid PRIMARY KEY REFERENCES records,
  -- The record that the evidence is about: an interaction.
  about_id uuid NOT NULL REFERENCES records,
  submitted_by uuid NOT NULL REFERENCES agents,
  created_at timestamptz NOT NULL
);
CREATE INDEX evidence_about ON evidence (about_id, id);

CREATE TABLE identity_claims (
  id uuid PRIMARY KEY REFERENCES records,
  subject_id uuid NOT NULL REFERENCES subjects,
  author_id uuid NOT NULL REFERENCES agents,
  claim text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX identity_claims_of_subject ON identity_claims (subject_id, created_at DESC, id DESC);
CREATE INDEX identity_claims_of_author ON identity_claims (author_id, subject_id);

-- The operators of agents, as far as administrators know them. An agent without a row is unknown.
CREATE TABLE operator_groups (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  recorded_at timestamptz NOT NULL
);
CREATE INDEX operator_groups_by_name ON operator_groups (name);

-- Only the author can read a trust record. Only features/trust uses this table.
CREATE TABLE trust_records (
  id uuid PRIMARY KEY REFERENCES records,
  author_id uuid NOT NULL REFERENCES agents,
  -- This is no reference to a subject: a subject that is older than its public records would reveal
  -- that an agent recorded something.
  agent_id uuid REFERENCES agents CHECK (agent_id <> author_id),
  type text,
  value text,
  context text NOT NULL,
  revoked boolean NOT NULL DEFAULT false,
  CHECK (num_nonnulls(agent_id, value) = 1 AND num_nonnulls(type, value) <> 1)
);
CREATE UNIQUE INDEX trust_records_one_current ON trust_records (author_id, context,
  coalesce(agent_id::text, type || ':' || value)) WHERE NOT revoked;
CREATE INDEX trust_records_of_author ON trust_records (author_id, id);

-- Existing rows were checked when they were inserted. Checking them again would block all searches.
ALTER TABLE name_words DROP CONSTRAINT name_words_type_check;
ALTER TABLE name_words ADD CONSTRAINT name_words_type_check
  CHECK (type IN ('thread', 'room', 'agent', 'file', 'interaction', 'claim')) NOT VALID;
CREATE TRIGGER forget_words AFTER UPDATE OF state ON records FOR EACH ROW
  WHEN (NEW.state = 'withdrawn') EXECUTE FUNCTION forget_name_words();
`;
