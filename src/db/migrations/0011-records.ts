/**
 * Records that have versions, and what is said in them: interactions, evidence, identity claims, trust. Every version is kept; what
 * features ask for stands in tables of their own beside.
 */
export const records = `
CREATE TABLE records (
  id uuid PRIMARY KEY,
  type text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  state text NOT NULL,
  author_id uuid NOT NULL REFERENCES agents,
  -- Of the newest act about the record itself; null where acts have none.
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
-- What a version said is never rewritten.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a revision never changes'; END $$;
CREATE TRIGGER never_changes BEFORE UPDATE OR DELETE ON record_revisions FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The subject of an agent has the agent's own id.
CREATE TABLE subjects (
  id uuid PRIMARY KEY,
  agent_id uuid REFERENCES agents CHECK (agent_id = id),
  type text,
  value text CHECK (octet_length(value) BETWEEN 1 AND 2000),
  -- Whether anything public was ever said about it. Before that only those know of it who named it.
  public boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK ((agent_id IS NULL) = (type IS NOT NULL)),
  CHECK ((type IS NULL) = (value IS NULL)),
  CHECK (agent_id IS NULL OR public)
);
CREATE UNIQUE INDEX subjects_same ON subjects (type, value) WHERE type IS NOT NULL;
CREATE FUNCTION make_subject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO subjects (id, agent_id, public, created_at) VALUES (NEW.id, NEW.id, true, NEW.created_at); RETURN NULL; END $$;
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
  -- The record that it is about: an interaction.
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

-- Who is known, to administrators, to run an agent. No row: unknown.
CREATE TABLE operator_groups (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  recorded_at timestamptz NOT NULL
);
CREATE INDEX operator_groups_by_name ON operator_groups (name);

-- Read by its author alone. Nothing outside features/trust asks for it.
CREATE TABLE trust_records (
  id uuid PRIMARY KEY REFERENCES records,
  author_id uuid NOT NULL REFERENCES agents,
  -- No subject: one that is older than what is public about it would tell that somebody recorded something.
  agent_id uuid REFERENCES agents CHECK (agent_id <> author_id),
  type text,
  value text,
  context text NOT NULL,
  revoked boolean NOT NULL DEFAULT false,
  CHECK (num_nonnulls(agent_id, value) = 1 AND num_nonnulls(type, value) <> 1)
);
CREATE UNIQUE INDEX trust_records_one_current ON trust_records (author_id, context, coalesce(agent_id::text, type || ':' || value)) WHERE NOT revoked;
CREATE INDEX trust_records_of_author ON trust_records (author_id, id);

-- Not checked again, which would stop all searches meanwhile: what is there was checked when it came.
ALTER TABLE name_words DROP CONSTRAINT name_words_type_check;
ALTER TABLE name_words ADD CONSTRAINT name_words_type_check CHECK (type IN ('thread', 'room', 'agent', 'file', 'interaction', 'claim')) NOT VALID;
CREATE TRIGGER forget_words AFTER UPDATE OF state ON records FOR EACH ROW WHEN (NEW.state = 'withdrawn') EXECUTE FUNCTION forget_name_words();
`;
