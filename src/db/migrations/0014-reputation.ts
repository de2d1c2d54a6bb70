/**
 * The tables that reputation is read from. Triggers maintain them, so code that records, withdraws
 * or judges need not know about them. Each read joins the operators. See
 * docs/decisions/0017-reputation.md.
 */
export const reputation = `
-- The locks come before all reads, in the order in which the service writes these tables. Every
-- concurrent write is then seen by the initial fill or by the triggers.
LOCK TABLE records, interactions, adjudication_rounds IN SHARE ROW EXCLUSIVE MODE;

-- The interactions that count, which are public and not withdrawn, each with the result of its
-- round that closed last.
CREATE TABLE reputation_entries (
  interaction_id uuid PRIMARY KEY REFERENCES interactions,
  subject_id uuid NOT NULL,
  context text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  author_id uuid NOT NULL,
  recorded_at timestamptz NOT NULL,
  round_id uuid,
  case_id uuid,
  result text COLLATE "C" CHECK (result IN ('upheld', 'rejected', 'inconclusive')),
  closed_at timestamptz,
  CHECK (num_nonnulls(round_id, case_id, result, closed_at) IN (0, 4))
);
CREATE INDEX reputation_entries_newest ON reputation_entries (subject_id, recorded_at);
CREATE INDEX reputation_entries_newest_in_context ON reputation_entries (subject_id, context,
  recorded_at);
CREATE INDEX reputation_entries_found ON reputation_entries (subject_id, closed_at DESC,
  round_id DESC) WHERE result IS NOT NULL;
CREATE INDEX reputation_entries_found_in_context ON reputation_entries (subject_id, context,
  closed_at DESC, round_id DESC) WHERE result IS NOT NULL;

-- The number of entries of each kind and each result. Context '' stands for all contexts. Rows
-- remain when their count becomes 0.
CREATE TABLE reputation_counts (
  subject_id uuid NOT NULL,
  context text COLLATE "C" NOT NULL,
  what text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (subject_id, context, what)
) WITH (fillfactor = 80);

-- The decisive findings about each author's entries.
CREATE TABLE reputation_authors (
  subject_id uuid NOT NULL,
  context text COLLATE "C" NOT NULL,
  author_id uuid NOT NULL,
  upheld bigint NOT NULL,
  rejected bigint NOT NULL,
  PRIMARY KEY (subject_id, context, author_id)
) WITH (fillfactor = 80);

-- The few authors whose findings do not count. They are looked up with each author.
CREATE INDEX agents_silent ON agents (id) WHERE blocked OR synthetic;

-- Views that compute the three tables from the records.
CREATE VIEW reputation_entries_anew AS
  SELECT i.id AS interaction_id, i.subject_id, i.context COLLATE "C" AS context,
    i.kind COLLATE "C" AS kind, i.author_id, i.created_at AS recorded_at,
      f.round_id, f.case_id, f.result COLLATE "C" AS result, f.closed_at
    FROM interactions i JOIN records c ON c.id = i.id AND c.state = 'recorded'
    LEFT JOIN (SELECT DISTINCT ON (k.subject_id) k.subject_id, r.id AS round_id, k.id AS case_id,
      r.result, r.closed_at
      FROM adjudication_cases k
        JOIN adjudication_rounds r ON r.case_id = k.id AND r.result IS NOT NULL
      WHERE k.subject_kind = 'interaction'
        ORDER BY k.subject_id, r.closed_at DESC, r.id DESC) f ON f.subject_id = i.id
    WHERE i.visibility = 'public';
CREATE VIEW reputation_counts_anew AS
  SELECT e.subject_id, x.context, y.what, count(*) AS count
    FROM reputation_entries e CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (e.context)) x (context)
      CROSS JOIN LATERAL (VALUES (e.kind), (e.result)) y (what)
    WHERE y.what IS NOT NULL GROUP BY 1, 2, 3;
CREATE VIEW reputation_authors_anew AS
  SELECT e.subject_id, x.context, e.author_id,
    count(*) FILTER (WHERE e.result = 'upheld') AS upheld,
    count(*) FILTER (WHERE e.result = 'rejected') AS rejected
    FROM reputation_entries e CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (e.context)) x (context)
    WHERE e.result IN ('upheld', 'rejected') GROUP BY 1, 2, 3;

-- Existing content is filled in before the triggers are created.
INSERT INTO reputation_entries SELECT * FROM reputation_entries_anew;
INSERT INTO reputation_counts SELECT * FROM reputation_counts_anew;
INSERT INTO reputation_authors SELECT * FROM reputation_authors_anew;

-- A change of entries also changes the counts, always in one order, so that transactions cannot
-- deadlock.
CREATE FUNCTION reputation_count(gone reputation_entries[], came reputation_entries[]) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO reputation_counts AS c (subject_id, context, what, count)
      SELECT m.subject_id, x.context, y.what, sum(m.by)
        FROM (SELECT -1 AS by, g.* FROM unnest(gone) g UNION ALL SELECT 1, n.*
        FROM unnest(came) n) m
        CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (m.context)) x (context)
          CROSS JOIN LATERAL (VALUES (m.kind), (m.result)) y (what)
        WHERE y.what IS NOT NULL GROUP BY 1, 2, 3 HAVING sum(m.by) <> 0 ORDER BY 1, 2, 3
      ON CONFLICT (subject_id, context, what) DO UPDATE SET count = c.count + excluded.count;
    INSERT INTO reputation_authors AS a (subject_id, context, author_id, upheld, rejected)
      SELECT m.subject_id, x.context, m.author_id,
        coalesce(sum(m.by) FILTER (WHERE m.result = 'upheld'), 0),
        coalesce(sum(m.by) FILTER (WHERE m.result = 'rejected'), 0)
        FROM (SELECT -1 AS by, g.* FROM unnest(gone) g UNION ALL SELECT 1, n.*
          FROM unnest(came) n) m
        CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (m.context)) x (context)
        WHERE m.result IN ('upheld', 'rejected') GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (subject_id, context, author_id) DO UPDATE
        SET upheld = a.upheld + excluded.upheld, rejected = a.rejected + excluded.rejected;
  END $$;
CREATE FUNCTION reputation_came() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM reputation_count('{}', array_agg(ROW(n.*)::reputation_entries))
    FROM came n; RETURN NULL; END $$;
CREATE FUNCTION reputation_went() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM reputation_count(array_agg(ROW(g.*)::reputation_entries), '{}')
    FROM gone g; RETURN NULL; END $$;
CREATE FUNCTION reputation_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM reputation_count((SELECT array_agg(ROW(g.*)::reputation_entries) FROM gone g),
      (SELECT array_agg(ROW(n.*)::reputation_entries) FROM came n));
    RETURN NULL;
  END $$;
CREATE TRIGGER count_came
  AFTER INSERT ON reputation_entries REFERENCING NEW TABLE AS came FOR EACH STATEMENT
  EXECUTE FUNCTION reputation_came();
CREATE TRIGGER count_went
  AFTER DELETE ON reputation_entries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
  EXECUTE FUNCTION reputation_went();
CREATE TRIGGER count_changed
  AFTER UPDATE ON reputation_entries REFERENCING OLD TABLE AS gone NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION reputation_changed();

CREATE FUNCTION reputation_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO reputation_entries (interaction_id, subject_id, context, kind, author_id,
      recorded_at)
      VALUES (NEW.id, NEW.subject_id, NEW.context, NEW.kind, NEW.author_id, NEW.created_at);
    RETURN NULL;
  END $$;
CREATE TRIGGER reputation_recorded AFTER INSERT ON interactions FOR EACH ROW
  WHEN (NEW.visibility = 'public') EXECUTE FUNCTION reputation_recorded();

CREATE FUNCTION reputation_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN DELETE FROM reputation_entries WHERE interaction_id = NEW.id; RETURN NULL; END $$;
CREATE TRIGGER reputation_withdrawn AFTER UPDATE OF state ON records FOR EACH ROW
  WHEN (NEW.type = 'interaction' AND NEW.state = 'withdrawn')
    EXECUTE FUNCTION reputation_withdrawn();

-- One statement closes many rounds.
CREATE FUNCTION reputation_found() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE reputation_entries e
      SET round_id = n.id, case_id = k.id, result = n.result, closed_at = n.closed_at
      FROM came n JOIN gone o ON o.id = n.id AND o.result IS NULL
        JOIN adjudication_cases k ON k.id = n.case_id AND k.subject_kind = 'interaction'
      WHERE n.result IS NOT NULL AND e.interaction_id = k.subject_id
        AND (e.round_id IS NULL OR (n.closed_at, n.id) > (e.closed_at, e.round_id));
    RETURN NULL;
  END $$;
CREATE TRIGGER reputation_found
  AFTER UPDATE ON adjudication_rounds REFERENCING OLD TABLE AS gone NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION reputation_found();
`;
