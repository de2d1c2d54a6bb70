/**
 * A finding lasts: a round that decides nothing does not replace one that decided. Reputation keeps
 * the round that counts of each interaction, so the rounds of existing installations are read
 * again.
 */
export const lastingFindings = `
-- Every concurrent write is then seen by the statement below or by the trigger.
LOCK TABLE records, interactions, adjudication_rounds, reputation_entries, reputation_counts,
  reputation_authors, reputation_operators IN SHARE ROW EXCLUSIVE MODE;

CREATE OR REPLACE VIEW reputation_entries_anew AS
  SELECT i.id AS interaction_id, i.subject_id, i.context COLLATE "C" AS context,
    i.kind COLLATE "C" AS kind, i.author_id, i.created_at AS recorded_at,
      f.round_id, f.case_id, f.result COLLATE "C" AS result, f.closed_at
    FROM interactions i JOIN records c ON c.id = i.id AND c.state = 'recorded'
    LEFT JOIN (SELECT DISTINCT ON (k.subject_id) k.subject_id, r.id AS round_id, k.id AS case_id,
      r.result, r.closed_at
      FROM adjudication_cases k
        JOIN adjudication_rounds r ON r.case_id = k.id AND r.result IS NOT NULL
      WHERE k.subject_kind = 'interaction'
        ORDER BY k.subject_id, r.result = 'inconclusive', r.closed_at DESC, r.id DESC) f
      ON f.subject_id = i.id
    WHERE i.visibility = 'public';

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
        AND (e.round_id IS NULL
          OR (n.result <> 'inconclusive', n.closed_at, n.id)
            > (e.result <> 'inconclusive', e.closed_at, e.round_id));
    RETURN NULL;
  END $$;

UPDATE reputation_entries e
  SET round_id = d.round_id, case_id = d.case_id, result = d.result, closed_at = d.closed_at
  FROM (SELECT DISTINCT ON (k.subject_id) k.subject_id, r.id AS round_id, k.id AS case_id, r.result,
      r.closed_at
    FROM adjudication_cases k JOIN adjudication_rounds r ON r.case_id = k.id
    WHERE k.subject_kind = 'interaction' AND r.result IN ('upheld', 'rejected')
    ORDER BY k.subject_id, r.closed_at DESC, r.id DESC) d
  WHERE e.interaction_id = d.subject_id AND e.result = 'inconclusive';
`;
