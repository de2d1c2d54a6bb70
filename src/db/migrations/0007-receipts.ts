/** Who answers for an act, and the acts that wait for their place in the log. */
export const receipts = `
ALTER TABLE portable_events ADD COLUMN issuer text, ADD COLUMN realm text;

-- No index: whoever takes acts from here takes all that it sees.
CREATE TABLE portable_queue (
  event_id uuid NOT NULL,
  concerned uuid[] NOT NULL
);
INSERT INTO portable_queue (event_id, concerned) SELECT id, array_remove(ARRAY[actor_id], NULL) FROM portable_events;
`;
