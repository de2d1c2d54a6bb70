import { buildIndex, type Step } from './migration.ts';

/** What decides about the findings of interactions, and what is computed from them anew. */
const rules = `
-- What a finding says about its target: 'upheld' is for it, 'rejected' against it, null is neither.
-- The columns upheld and rejected of reputation_authors and reputation_operators count these.
CREATE FUNCTION reputation_side(kind text, result text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN result = 'inconclusive' THEN NULL
    WHEN kind <> 'incident' THEN result
    WHEN result = 'upheld' THEN 'rejected' END COLLATE "C" $$;

CREATE OR REPLACE VIEW reputation_entries_anew AS
  SELECT i.id AS interaction_id, i.subject_id, i.context COLLATE "C" AS context,
    i.kind COLLATE "C" AS kind, i.author_id, i.created_at AS recorded_at,
      f.round_id, f.case_id, f.result COLLATE "C" AS result, f.closed_at,
      c.state = 'withdrawn' AS withdrawn
    FROM interactions i JOIN records c ON c.id = i.id
    LEFT JOIN (SELECT DISTINCT ON (k.subject_id) k.subject_id, r.id AS round_id, k.id AS case_id,
      r.result, r.closed_at
      FROM adjudication_cases k
        JOIN adjudication_rounds r ON r.case_id = k.id AND r.result IS NOT NULL
      WHERE k.subject_kind = 'interaction'
        ORDER BY k.subject_id, r.result = 'inconclusive', r.closed_at DESC, r.id DESC) f
          ON f.subject_id = i.id
    WHERE i.visibility = 'public';
CREATE OR REPLACE VIEW reputation_authors_anew AS
  SELECT w.*, s.operator, s.operator_recorded_at
    FROM (SELECT e.subject_id, x.context, e.author_id,
      count(*) FILTER (WHERE d.side = 'upheld') AS upheld,
      count(*) FILTER (WHERE d.side = 'rejected') AS rejected
      FROM reputation_entries e
        CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (e.context)) x (context)
        CROSS JOIN LATERAL (SELECT reputation_side(e.kind, e.result) AS side) d
      WHERE d.side IS NOT NULL GROUP BY 1, 2, 3) w JOIN reputation_standing s
        USING (author_id);
CREATE OR REPLACE VIEW reputation_counts_anew AS
  SELECT e.subject_id, x.context, y.what, count(*) AS count
    FROM reputation_entries e CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (e.context)) x (context)
      CROSS JOIN LATERAL (VALUES (CASE WHEN NOT e.withdrawn THEN e.kind END),
        (CASE WHEN NOT e.withdrawn OR e.result <> 'inconclusive' THEN e.result END)) y (what)
    WHERE y.what IS NOT NULL GROUP BY 1, 2, 3
  UNION ALL
  SELECT o.subject_id, o.context,
    reputation_voice(o.operator, o.upheld, o.rejected) COLLATE "C" AS what,
    sum(CASE o.operator WHEN '' THEN o.agents ELSE 1 END)::bigint
    FROM reputation_operators o
      WHERE o.agents > 0 AND o.upheld <> o.rejected OR o.operator = '' AND o.agents > 0
      GROUP BY 1, 2, 3;

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
          CROSS JOIN LATERAL (VALUES (CASE WHEN NOT m.withdrawn THEN m.kind END),
            (CASE WHEN NOT m.withdrawn OR m.result <> 'inconclusive' THEN m.result END)) y (what)
        WHERE y.what IS NOT NULL GROUP BY 1, 2, 3 HAVING sum(m.by) <> 0 ORDER BY 1, 2, 3
      ON CONFLICT (subject_id, context, what) DO UPDATE SET count = c.count + excluded.count;
    WITH by AS MATERIALIZED (SELECT m.subject_id, x.context, m.author_id,
      coalesce(sum(m.by) FILTER (WHERE d.side = 'upheld'), 0) AS upheld,
          coalesce(sum(m.by) FILTER (WHERE d.side = 'rejected'), 0) AS rejected
        FROM (SELECT -1 AS by, g.* FROM unnest(gone) g UNION ALL SELECT 1, n.*
          FROM unnest(came) n) m
        CROSS JOIN LATERAL (VALUES ('' COLLATE "C"), (m.context)) x (context)
        CROSS JOIN LATERAL (SELECT reputation_side(m.kind, m.result) AS side) d
        WHERE d.side IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3),
      kept AS (INSERT INTO reputation_authors AS a (subject_id, context, author_id, upheld,
        rejected, operator, operator_recorded_at)
        SELECT b.*, s.operator, s.operator_recorded_at FROM by b
          CROSS JOIN LATERAL (SELECT * FROM reputation_standing t
          WHERE t.author_id = b.author_id OFFSET 0) s
        WHERE (b.upheld, b.rejected) <> (0, 0)
        ON CONFLICT (subject_id, context, author_id) DO UPDATE
          SET upheld = a.upheld + excluded.upheld, rejected = a.rejected + excluded.rejected
        RETURNING a.*)
    SELECT array_agg(ROW(k.subject_id, k.context, k.operator,
      (k.upheld + k.rejected > 0)::int - (k.upheld + k.rejected > b.upheld + b.rejected)::int,
        b.upheld, b.rejected)::reputation_operators) INTO moved FROM kept k JOIN by b
          USING (subject_id, context, author_id);
    PERFORM reputation_move(moved);
  END $$;

CREATE OR REPLACE FUNCTION reputation_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM reputation_hold(ARRAY[NEW.author_id]);
    UPDATE reputation_entries SET withdrawn = true WHERE interaction_id = NEW.id AND NOT withdrawn;
    RETURN NULL;
  END $$;
CREATE OR REPLACE FUNCTION reputation_found() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM reputation_hold((SELECT array_agg(i.author_id) FROM came n
      JOIN gone o ON o.id = n.id AND o.result IS NULL
      JOIN adjudication_cases k ON k.id = n.case_id AND k.subject_kind = 'interaction'
      JOIN interactions i ON i.id = k.subject_id WHERE n.result IS NOT NULL));
    -- A decision replaces whatever was there before. An inconclusive result replaces no decision.
    UPDATE reputation_entries e
      SET round_id = n.id, case_id = k.id, result = n.result, closed_at = n.closed_at
      FROM came n JOIN gone o ON o.id = n.id AND o.result IS NULL
        JOIN adjudication_cases k ON k.id = n.case_id AND k.subject_kind = 'interaction'
      WHERE n.result IS NOT NULL AND e.interaction_id = k.subject_id
        AND (e.round_id IS NULL OR (n.result <> 'inconclusive', n.closed_at, n.id)
          > (e.result <> 'inconclusive', e.closed_at, e.round_id));
    RETURN NULL;
  END $$;
`;

/**
 * Replaces the rules, in one transaction with what is stored by the former ones and differs: an
 * upheld incident was counted for its target. The rules were replaced if one of them is there.
 */
const replaceRules: Step = `
-- The locks come before all reads, and whoever writes what is counted has ended. The first are
-- those of migration 19, which a change of an operator takes, and who registers takes none of them.
SELECT pg_advisory_xact_lock(19, key) FROM generate_series(0, 255) key;
LOCK TABLE records, interactions, adjudication_rounds, reputation_entries, reputation_counts,
  reputation_authors, reputation_operators IN SHARE ROW EXCLUSIVE MODE;

DO $migration$
DECLARE
  incidents reputation_entries[];
BEGIN
  IF to_regprocedure('reputation_side(text, text)') IS NOT NULL THEN RETURN; END IF;
  SELECT array_agg(e) INTO incidents
    FROM reputation_entries e WHERE kind = 'incident' AND result IN ('upheld', 'rejected');
  PERFORM reputation_count(incidents, '{}');
  EXECUTE $rules$${rules}$rules$;
  PERFORM reputation_count('{}', incidents);
END $migration$;
`;

/**
 * Adds the entries of interactions that were withdrawn. The triggers count them. Each slice
 * commits, and excludes findings about its authors, which would not see its entries.
 */
const addWithdrawn: Step = {
  outside: `
    DO $$
    DECLARE
      missing uuid[];
      last uuid := '00000000-0000-0000-0000-000000000000';
    BEGIN
      LOOP
        -- Others wait behind a lock that this slice waits for.
        PERFORM set_config('lock_timeout', '100', true);
        SELECT array_agg(m.id ORDER BY m.id) INTO missing
        FROM (
          SELECT i.id
          FROM interactions i
          WHERE i.visibility = 'public' AND i.id > last
            AND NOT EXISTS (SELECT 1 FROM reputation_entries e WHERE e.interaction_id = i.id)
          ORDER BY i.id
          LIMIT 100
        ) m;
        EXIT WHEN missing IS NULL;
        PERFORM pg_advisory_xact_lock(19, k.key)
        FROM (
          SELECT DISTINCT reputation_lock(i.author_id) AS key
          FROM interactions i
          WHERE i.id = ANY(missing)
          ORDER BY 1
        ) k;
        INSERT INTO reputation_entries
        SELECT v.*
        FROM unnest(missing) m (id)
        CROSS JOIN LATERAL (
          SELECT * FROM reputation_entries_anew a WHERE a.interaction_id = m.id OFFSET 0
        ) v
        ON CONFLICT DO NOTHING;
        last := missing[cardinality(missing)];
        COMMIT;
      END LOOP;
    END $$`,
};

/**
 * Findings stay. The finding of an interaction is the result of the round that decided last, which
 * no inconclusive round replaces, and it outlives the withdrawal of its interaction. An upheld
 * incident speaks against its target (method wilson-lb/2). What is stored for reputation is
 * changed accordingly. See docs/decisions/0017-reputation.md. Ids of external subjects are computed
 * from a key, so that they do not tell a time. See docs/decisions/0026-subject-ids.md.
 */
export const findings: readonly Step[] = [
  `-- The key of the ids of external subjects, under DATA_KEY where that is set.
  CREATE TABLE IF NOT EXISTS subject_id_keys (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    key bytea NOT NULL
  )`,

  // From now on every public interaction has an entry. Once it is withdrawn it counts in no kind,
  // and an inconclusive result of it counts no more either.
  `ALTER TABLE reputation_entries
     ADD COLUMN IF NOT EXISTS withdrawn boolean NOT NULL DEFAULT false`,
  ...buildIndex(
    'reputation_entries_standing',
    'reputation_entries (subject_id, recorded_at) WHERE NOT withdrawn',
  ),
  ...buildIndex(
    'reputation_entries_standing_in_context',
    'reputation_entries (subject_id, context, recorded_at) WHERE NOT withdrawn',
  ),
  ...buildIndex(
    'reputation_entries_shown',
    `reputation_entries (subject_id, closed_at DESC, round_id DESC)
     WHERE result IS NOT NULL AND (NOT withdrawn OR result <> 'inconclusive')`,
  ),
  ...buildIndex(
    'reputation_entries_shown_in_context',
    `reputation_entries (subject_id, context, closed_at DESC, round_id DESC)
     WHERE result IS NOT NULL AND (NOT withdrawn OR result <> 'inconclusive')`,
  ),
  replaceRules,
  addWithdrawn,
  `DROP INDEX IF EXISTS reputation_entries_newest;
   DROP INDEX IF EXISTS reputation_entries_newest_in_context;
   DROP INDEX IF EXISTS reputation_entries_found;
   DROP INDEX IF EXISTS reputation_entries_found_in_context`,
];
