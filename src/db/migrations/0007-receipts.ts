/** The issuer of each receipt, and the receipts that wait for their place in the log. */
export const receipts = `
ALTER TABLE portable_events ADD COLUMN issuer text, ADD COLUMN realm text;

-- The queue has no index, because its reader takes all rows that it sees.
CREATE TABLE portable_queue (
  event_id uuid NOT NULL,
  concerned uuid[] NOT NULL
);
INSERT INTO portable_queue (event_id, concerned) SELECT id, array_remove(ARRAY[actor_id], NULL)
  FROM portable_events;
`;
