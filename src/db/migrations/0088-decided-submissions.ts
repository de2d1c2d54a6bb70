import { buildIndex, type Step } from './migration.ts';

/**
 * Submissions about which a round has closed, for the job that settles them. It looked at all that
 * waited for a decision, every second, and those that stay undecided wait for ever.
 */
export const decidedSubmissions: readonly Step[] = [
  'ALTER TABLE assignments ADD COLUMN IF NOT EXISTS to_settle boolean NOT NULL DEFAULT false',
  `
CREATE OR REPLACE FUNCTION settle_found() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assignments s
  SET to_settle = true
  FROM came n
  JOIN gone o ON o.id = n.id AND o.result IS NULL
  WHERE n.result IS NOT NULL AND s.case_id = n.case_id AND s.undecided;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER settle_found
  AFTER UPDATE ON adjudication_rounds REFERENCING OLD TABLE AS gone NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION settle_found();
`,
  ...buildIndex('assignments_to_settle', 'assignments (id) WHERE to_settle'),
  // Those that the job has not settled yet, which are few. It finds them without the index of
  // undecided ones, which nodes of before still use.
  `
UPDATE assignments s
SET to_settle = true
FROM records c
WHERE s.undecided
  AND c.id = s.id
  AND EXISTS (
    SELECT 1
    FROM adjudication_rounds r
    WHERE r.case_id = s.case_id
      AND r.result IS NOT NULL
      AND (r.result <> 'inconclusive' OR c.state = 'submitted')
  )
`,
];
