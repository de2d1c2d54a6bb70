import { buildIndex, type Step } from './migration.ts';

/**
 * A call to reviewers has an opener and a turn: openers take turns, so that many calls of one do
 * not delay those of others. Calls of earlier nodes have no opener, and come first. The index
 * counts the open rounds of an opener.
 */
export const fairCalls: readonly Step[] = [
  `ALTER TABLE case_calls
     ADD COLUMN IF NOT EXISTS opener_id uuid REFERENCES agents,
     ADD COLUMN IF NOT EXISTS turn bigint NOT NULL DEFAULT 0;
   CREATE INDEX IF NOT EXISTS case_calls_turns ON case_calls (turn, id);
   CREATE INDEX IF NOT EXISTS case_calls_of_opener ON case_calls (opener_id, turn);
   CREATE INDEX IF NOT EXISTS case_calls_of_case ON case_calls (case_id, id)`,
  ...buildIndex(
    'adjudication_rounds_open_of_opener',
    `adjudication_rounds ((frozen->>'openedBy')) WHERE state = 'open'`,
  ),
];
