/**
 * Reputation is stored by operator too, so that a read needs a few rows, however many authors a
 * target has. A change of an author's operator, block or flag immediately moves its findings to
 * another operator. See docs/decisions/0017-reputation.md. Lists of public interactions also get an
 * index, so that they need not skip private ones.
 */
export const reputationByOperator = `
-- The locks come before all reads, in the order in which the service writes these tables. Every
-- concurrent write is then seen by the initial fill or by the triggers.
LOCK TABLE agents, operator_groups, records, interactions, adjudication_rounds, reputation_entries,
  reputation_counts, reputation_authors IN SHARE ROW EXCLUSIVE MODE;

CREATE INDEX interactions_public ON interactions (created_at DESC, id DESC)
  WHERE visibility = 'public';
CREATE INDEX interactions_public_in_context ON interactions (context, created_at DESC, id DESC)
  WHERE visibility = 'public';

-- The operator that an author's findings count for: '' if it is unknown, and null, so that they do
-- not count, if the author is blocked or synthetic.
CREATE VIEW reputation_standing AS
  SELECT a.id AS author_id,
    CASE WHEN NOT (a.blocked OR a.synthetic) THEN coalesce(g.name COLLATE "C", '') END AS operator,
      CASE WHEN NOT (a.blocked OR a.synthetic) THEN g.recorded_at END AS operator_recorded_at
    FROM agents a LEFT JOIN operator_groups g ON g.agent_id = a.id;

ALTER TABLE reputation_authors ADD COLUMN operator text COLLATE "C",
  ADD COLUMN operator_recorded_at timestamptz;
CREATE INDEX reputation_authors_by_author ON reputation_authors (author_id);
CREATE INDEX reputation_authors_known ON reputation_authors (subject_id, context,
  operator_recorded_at)
  WHERE operator_recorded_at IS NOT NULL AND upheld + rejected > 0;

-- The number of authors with decisive findings, and of those findings, for each operator. Rows
-- remain when their counts become 0.
CREATE TABLE reputation_operators (
  subject_id uuid NOT NULL,
  context text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL,
  agents bigint NOT NULL,
  upheld bigint NOT NULL,
  rejected bigint NOT NULL,
  PRIMARY KEY (subject_id, context, operator)
) WITH (fillfactor = 80);

-- How reputation_counts counts an operator. A known one counts by the majority of its findings, or
-- not at all for a tie. Of the unknown ones each agent counts.
CREATE FUNCTION reputation_voice(operator text, upheld bigint, rejected bigint) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN operator = '' THEN 'unknown' WHEN upheld > rejected THEN 'known_upheld'
    WHEN upheld < rejected THEN 'known_rejected' END COLLATE "C" $$;

CREATE OR REPLACE VIEW reputation_authors_anew AS
  SELECT w.*, s.operator, s.operator_recorded_at
    FROM (SELECT e.subject_id, x.context, e.author_id,
      count(*) FILTER (WHERE e.result = 'upheld') AS upheld,
      count(*) FILTER (WHERE e.result = 'rejected') AS rejected
      FROM reputation_entries e
        CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (e.context)) x (context)
      WHERE e.result IN ('upheld', 'rejected') GROUP BY 1, 2, 3) w JOIN reputation_standing s
        USING (author_id);
CREATE VIEW reputation_operators_anew AS
  SELECT subject_id, context, operator, count(*) AS agents, sum(upheld)::bigint AS upheld,
    sum(rejected)::bigint AS rejected
    FROM reputation_authors WHERE operator IS NOT NULL AND upheld + rejected > 0 GROUP BY 1, 2, 3;
CREATE OR REPLACE VIEW reputation_counts_anew AS
  SELECT e.subject_id, x.context, y.what, count(*) AS count
    FROM reputation_entries e CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (e.context)) x (context)
      CROSS JOIN LATERAL (VALUES (e.kind), (e.result)) y (what)
    WHERE y.what IS NOT NULL GROUP BY 1, 2, 3
  UNION ALL
  SELECT o.subject_id, o.context,
    reputation_voice(o.operator, o.upheld, o.rejected) COLLATE "C" AS what,
    sum(CASE o.operator WHEN '' THEN o.agents ELSE 1 END)::bigint
    FROM reputation_operators o
      WHERE o.agents > 0 AND o.upheld <> o.rejected OR o.operator = '' AND o.agents > 0
      GROUP BY 1, 2, 3;

-- Existing content is filled in before the triggers are created. Authors without findings are kept
-- up to date as well, because they may get another one.
UPDATE reputation_authors w SET operator = s.operator, operator_recorded_at = s.operator_recorded_at
  FROM reputation_standing s WHERE s.author_id = w.author_id;
INSERT INTO reputation_operators SELECT * FROM reputation_operators_anew;
INSERT INTO reputation_counts SELECT * FROM reputation_counts_anew
  WHERE what IN ('unknown', 'known_upheld', 'known_rejected');

-- Findings of an author must not be counted while its operator changes. Both kinds of transactions
-- take this lock before they lock any row of reputation, and do not wait for each other later, so
-- they cannot deadlock. Authors share 256 locks, so PostgreSQL has room for all of them.
CREATE FUNCTION reputation_lock(author uuid) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtext(author::text) & 255 $$;
CREATE FUNCTION reputation_hold(authors uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_advisory_xact_lock_shared(19, key)
    FROM (SELECT DISTINCT reputation_lock(a) AS key FROM unnest(authors) a ORDER BY 1) k; END $$;

-- Adds changes, which may be negative, to operators and to the counts of what they count as.
CREATE FUNCTION reputation_move(moved reputation_operators[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH by AS MATERIALIZED (SELECT m.subject_id, m.context, m.operator,
      sum(m.agents)::bigint AS agents, sum(m.upheld)::bigint AS upheld,
      sum(m.rejected)::bigint AS rejected
        FROM unnest(moved) m WHERE m.operator IS NOT NULL GROUP BY 1, 2, 3
          HAVING (sum(m.agents), sum(m.upheld), sum(m.rejected)) <> (0, 0, 0) ORDER BY 1, 2, 3),
      kept AS (INSERT INTO reputation_operators AS o SELECT * FROM by
        ON CONFLICT (subject_id, context, operator) DO UPDATE
          SET agents = o.agents + excluded.agents, upheld = o.upheld + excluded.upheld,
          rejected = o.rejected + excluded.rejected
        RETURNING o.*)
    INSERT INTO reputation_counts AS c (subject_id, context, what, count)
      SELECT k.subject_id, k.context, v.what,
        sum(w.by * CASE k.operator WHEN '' THEN w.agents ELSE 1 END)
        FROM kept k JOIN by b USING (subject_id, context, operator)
          CROSS JOIN LATERAL (VALUES (1, k.agents, k.upheld, k.rejected),
            (-1, k.agents - b.agents, k.upheld - b.upheld, k.rejected - b.rejected)) w (by, agents,
            upheld, rejected)
          CROSS JOIN LATERAL (SELECT reputation_voice(k.operator, w.upheld, w.rejected) AS what) v
        WHERE v.what IS NOT NULL GROUP BY 1, 2, 3
          HAVING sum(w.by * CASE k.operator WHEN '' THEN w.agents ELSE 1 END) <> 0 ORDER BY 1, 2, 3
      ON CONFLICT (subject_id, context, what) DO UPDATE SET count = c.count + excluded.count;
  END $$;

-- Each step works on sets in one order, so that transactions cannot deadlock.
CREATE OR REPLACE FUNCTION reputation_count(gone reputation_entries[], came reputation_entries[])
  RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    moved reputation_operators[];
  BEGIN
    INSERT INTO reputation_counts AS c (subject_id, context, what, count)
      SELECT m.subject_id, x.context, y.what, sum(m.by)
        FROM (SELECT -1 AS by, g.* FROM unnest(gone) g UNION ALL SELECT 1, n.*
        FROM unnest(came) n) m
        CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (m.context)) x (context)
          CROSS JOIN LATERAL (VALUES (m.kind), (m.result)) y (what)
        WHERE y.what IS NOT NULL GROUP BY 1, 2, 3 HAVING sum(m.by) <> 0 ORDER BY 1, 2, 3
      ON CONFLICT (subject_id, context, what) DO UPDATE SET count = c.count + excluded.count;
    WITH by AS MATERIALIZED (SELECT m.subject_id, x.context, m.author_id,
      coalesce(sum(m.by) FILTER (WHERE m.result = 'upheld'), 0) AS upheld,
          coalesce(sum(m.by) FILTER (WHERE m.result = 'rejected'), 0) AS rejected
        FROM (SELECT -1 AS by, g.* FROM unnest(gone) g UNION ALL SELECT 1, n.*
          FROM unnest(came) n) m
        CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (m.context)) x (context)
        WHERE m.result IN ('upheld', 'rejected') GROUP BY 1, 2, 3 ORDER BY 1, 2, 3),
      kept AS (INSERT INTO reputation_authors AS a (subject_id, context, author_id, upheld,
        rejected, operator, operator_recorded_at)
        SELECT b.*, s.operator, s.operator_recorded_at FROM by b
          CROSS JOIN LATERAL (SELECT * FROM reputation_standing t
          WHERE t.author_id = b.author_id OFFSET 0) s
        ON CONFLICT (subject_id, context, author_id) DO UPDATE
          SET upheld = a.upheld + excluded.upheld, rejected = a.rejected + excluded.rejected
        RETURNING a.*)
    SELECT array_agg(ROW(k.subject_id, k.context, k.operator,
      (k.upheld + k.rejected > 0)::int - (k.upheld + k.rejected > b.upheld + b.rejected)::int,
        b.upheld, b.rejected)::reputation_operators) INTO moved FROM kept k JOIN by b
          USING (subject_id, context, author_id);
    PERFORM reputation_move(moved);
  END $$;

CREATE FUNCTION reputation_of(author uuid, times integer) RETURNS reputation_operators[]
  LANGUAGE sql AS $$
  SELECT array_agg(ROW(subject_id, context, operator, times, times * upheld,
    times * rejected)::reputation_operators)
    FROM reputation_authors WHERE author_id = author AND upheld + rejected > 0 $$;
-- From now on the findings of an author count for another operator.
CREATE FUNCTION reputation_restand() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    author uuid;
    moved reputation_operators[];
  BEGIN
    IF TG_TABLE_NAME = 'agents' THEN author := NEW.id;
      ELSE author := coalesce(NEW.agent_id, OLD.agent_id); END IF;
    PERFORM pg_advisory_xact_lock(19, reputation_lock(author));
    moved := reputation_of(author, -1);
    UPDATE reputation_authors w
      SET operator = s.operator, operator_recorded_at = s.operator_recorded_at
      FROM reputation_standing s
      WHERE w.author_id = author AND s.author_id = author;
    PERFORM reputation_move(moved || reputation_of(author, 1));
    RETURN NULL;
  END $$;
CREATE TRIGGER reputation_restand AFTER INSERT OR UPDATE OR DELETE ON operator_groups FOR EACH ROW
  EXECUTE FUNCTION reputation_restand();
CREATE TRIGGER reputation_restand AFTER UPDATE OF blocked, synthetic ON agents FOR EACH ROW
  WHEN ((OLD.blocked OR OLD.synthetic) <> (NEW.blocked OR NEW.synthetic))
    EXECUTE FUNCTION reputation_restand();

CREATE OR REPLACE FUNCTION reputation_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM reputation_hold(ARRAY[NEW.author_id]);
    DELETE FROM reputation_entries WHERE interaction_id = NEW.id;
    RETURN NULL;
  END $$;
CREATE OR REPLACE FUNCTION reputation_found() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM reputation_hold((SELECT array_agg(i.author_id) FROM came n
      JOIN gone o ON o.id = n.id AND o.result IS NULL
      JOIN adjudication_cases k ON k.id = n.case_id AND k.subject_kind = 'interaction'
      JOIN interactions i ON i.id = k.subject_id WHERE n.result IS NOT NULL));
    UPDATE reputation_entries e
      SET round_id = n.id, case_id = k.id, result = n.result, closed_at = n.closed_at
      FROM came n JOIN gone o ON o.id = n.id AND o.result IS NULL
        JOIN adjudication_cases k ON k.id = n.case_id AND k.subject_kind = 'interaction'
      WHERE n.result IS NOT NULL AND e.interaction_id = k.subject_id
        AND (e.round_id IS NULL OR (n.closed_at, n.id) > (e.closed_at, e.round_id));
    RETURN NULL;
  END $$;

-- New interactions are counted at the end of their transaction, so transactions about one target
-- wait for each other no longer than a commit takes. The previous trigger and the index
-- agents_silent, which older nodes use, are not dropped: dropping them would wait for all readers,
-- which may themselves wait for this transaction.
ALTER TABLE interactions DISABLE TRIGGER reputation_recorded;
CREATE CONSTRAINT TRIGGER reputation_recorded_last AFTER INSERT ON interactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.visibility = 'public') EXECUTE FUNCTION reputation_recorded();
`;
