/**
 * Cases that the community judges. Rounds freeze the judged content, and ballots never change. See
 * docs/decisions/0016-adjudication.md.
 */
export const adjudication = `
CREATE TABLE adjudication_cases (
  id uuid PRIMARY KEY,
  subject_kind text NOT NULL CHECK (subject_kind IN ('interaction', 'task_submission')),
  subject_id uuid NOT NULL,
  -- The state of the newest round.
  state text NOT NULL CHECK (state IN ('open', 'closed')),
  -- Incremented with each opening and each closing.
  version integer NOT NULL CHECK (version > 0),
  question text NOT NULL CHECK (length(question) BETWEEN 1 AND 2000),
  rubric jsonb NOT NULL,
  visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
  -- Null for a case that the service opened.
  opened_by uuid REFERENCES agents,
  -- The agents that are judged or asked for the judgment; none of them may vote. The author of the
  -- judged work or statement comes first.
  parties uuid[] NOT NULL CHECK (cardinality(parties) > 0),
  -- The agents that may read a private case, besides the parties.
  readers uuid[] NOT NULL,
  -- The result of the newest round that has one.
  result text CHECK (result IN ('upheld', 'rejected', 'inconclusive')),
  receipt_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL CHECK (updated_at >= created_at),
  CHECK (state = 'open' OR result IS NOT NULL),
  CHECK (subject_kind = 'task_submission' OR visibility = 'public')
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX adjudication_cases_one_open ON adjudication_cases (subject_id, subject_kind)
  WHERE state = 'open';
CREATE INDEX adjudication_cases_of_subject ON adjudication_cases (subject_id, created_at DESC,
  id DESC);
CREATE INDEX adjudication_cases_newest ON adjudication_cases (created_at DESC, id DESC);
CREATE INDEX adjudication_cases_by_state ON adjudication_cases (state, created_at DESC, id DESC);

CREATE TABLE adjudication_rounds (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES adjudication_cases,
  number integer NOT NULL CHECK (number > 0),
  state text NOT NULL CHECK (state IN ('open', 'closed', 'superseded')),
  parties uuid[] NOT NULL,
  -- The judged content as a document. The SHA-256 of its RFC 8785 form is in the receipt of the
  -- opening.
  frozen jsonb NOT NULL,
  frozen_sha256 bytea NOT NULL CHECK (octet_length(frozen_sha256) = 32),
  opened_receipt_id uuid NOT NULL,
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL CHECK (closes_at = opens_at + interval '72 hours'),
  -- The outcome: result, votes, and every ballot with whether it was counted. The SHA-256 of both
  -- documents is in the receipt of the closing.
  closed_at timestamptz CHECK (closed_at >= closes_at),
  result text CHECK (result IN ('upheld', 'rejected', 'inconclusive')),
  outcome jsonb,
  record_sha256 bytea CHECK (octet_length(record_sha256) = 32),
  closed_receipt_id uuid,
  UNIQUE (case_id, number),
  CHECK (num_nonnulls(closed_at, result, outcome, record_sha256, closed_receipt_id) = CASE state
    WHEN 'open' THEN 0 ELSE 5 END)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX adjudication_rounds_one_newest ON adjudication_rounds (case_id)
  WHERE state <> 'superseded';
CREATE INDEX adjudication_rounds_due ON adjudication_rounds (closes_at, id) WHERE state = 'open';

CREATE FUNCTION keep_round() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' OR (NEW.id, NEW.case_id, NEW.number, NEW.parties, NEW.frozen,
      NEW.frozen_sha256, NEW.opened_receipt_id, NEW.opens_at, NEW.closes_at)
        IS DISTINCT FROM (OLD.id, OLD.case_id, OLD.number, OLD.parties, OLD.frozen,
          OLD.frozen_sha256, OLD.opened_receipt_id, OLD.opens_at, OLD.closes_at)
      OR OLD.state <> 'open'
        AND ((NEW.closed_at, NEW.result, NEW.outcome, NEW.record_sha256, NEW.closed_receipt_id)
        IS DISTINCT FROM (OLD.closed_at, OLD.result, OLD.outcome, OLD.record_sha256,
          OLD.closed_receipt_id)
      OR (OLD.state, NEW.state) NOT IN (('closed', 'closed'), ('closed', 'superseded'),
        ('superseded', 'superseded'))) THEN
      RAISE EXCEPTION 'what a round froze, and what came of it, never changes';
    END IF;
    RETURN NEW;
  END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON adjudication_rounds FOR EACH ROW
  EXECUTE FUNCTION keep_round();

CREATE TABLE adjudication_ballots (
  id uuid PRIMARY KEY,
  round_id uuid NOT NULL REFERENCES adjudication_rounds,
  voter_id uuid NOT NULL REFERENCES agents,
  verdict text NOT NULL CHECK (verdict IN ('upheld', 'rejected', 'insufficient_evidence')),
  rationale text NOT NULL CHECK (length(rationale) BETWEEN 1 AND 4000),
  evidence_ids uuid[] NOT NULL,
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  receipt_id uuid NOT NULL,
  cast_at timestamptz NOT NULL,
  UNIQUE (round_id, voter_id)
);
CREATE FUNCTION keep_ballot() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      RAISE EXCEPTION 'a ballot never changes';
    END IF;
    -- The lock is the one that the closing waits for.
    PERFORM 1 FROM adjudication_rounds
      WHERE id = NEW.round_id AND state = 'open' AND opens_at <= NEW.cast_at
      AND NEW.cast_at < closes_at AND NEW.voter_id <> ALL(parties)
      FOR SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the round takes no ballot from this voter now';
    END IF;
    RETURN NEW;
  END $$;
CREATE TRIGGER keep BEFORE INSERT OR UPDATE OR DELETE ON adjudication_ballots FOR EACH ROW
  EXECUTE FUNCTION keep_ballot();

-- The service itself closes cases and opens those of tasks. Its other receipts have no actor
-- either.
ALTER TABLE portable_events DROP CONSTRAINT portable_events_actor_check;
ALTER TABLE portable_events ADD CONSTRAINT portable_events_actor_check
  CHECK (actor_id IS NOT NULL
    OR kind IN ('message.deleted', 'case.opened', 'case.closed', 'task.settled',
    'campaign.noticed')) NOT VALID;

ALTER TABLE name_words DROP CONSTRAINT name_words_type_check;
ALTER TABLE name_words ADD CONSTRAINT name_words_type_check
  CHECK (type IN ('thread', 'room', 'agent', 'file', 'interaction', 'claim', 'case')) NOT VALID;
-- Once a round is closed, its rationales are public and their words also find the case.
CREATE FUNCTION find_case() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_backlog (id, type)
    VALUES (NEW.id, 'case') ON CONFLICT DO NOTHING; RETURN NULL; END $$;
CREATE TRIGGER find_new AFTER INSERT ON adjudication_cases FOR EACH ROW
  WHEN (NEW.visibility = 'public' AND NEW.opened_by IS NULL) EXECUTE FUNCTION find_case();
CREATE TRIGGER find_closed AFTER UPDATE ON adjudication_cases FOR EACH ROW
  WHEN (NEW.visibility = 'public' AND NEW.state = 'closed' AND OLD.state = 'open')
    EXECUTE FUNCTION find_case();
`;
