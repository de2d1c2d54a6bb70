import { addCheck, type Step } from './migration.ts';

/**
 * How many identity claims there are about a subject. Counting them at each read took longer than
 * a read may take with millions of them.
 */
export const claimCounts: readonly Step[] = [
  'ALTER TABLE subjects ADD COLUMN IF NOT EXISTS claim_count integer NOT NULL DEFAULT 0',
  `
CREATE OR REPLACE FUNCTION count_new_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that transactions cannot deadlock.
  PERFORM 1
  FROM subjects
  WHERE id IN (SELECT subject_id FROM added)
  ORDER BY id
  FOR NO KEY UPDATE;
  UPDATE subjects s
  SET claim_count = s.claim_count + a.count
  FROM (SELECT subject_id, count(*) AS count FROM added GROUP BY subject_id) a
  WHERE s.id = a.subject_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER claims_counted AFTER INSERT ON identity_claims
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_new_claims();
`,
  // A trigger adds to what is counted here, because both lock the subject.
  {
    outside: `
      DO $$
      DECLARE
        subject uuid;
      BEGIN
        FOR subject IN SELECT DISTINCT subject_id FROM identity_claims ORDER BY 1 LOOP
          PERFORM 1 FROM subjects WHERE id = subject FOR NO KEY UPDATE;
          UPDATE subjects
          SET claim_count = (SELECT count(*) FROM identity_claims WHERE subject_id = subject)
          WHERE id = subject;
          COMMIT;
        END LOOP;
      END $$`,
  },
  ...addCheck('subjects', 'subjects_claim_count_check', 'claim_count >= 0'),
];
