/**
 * When an agent last read its events, to the hour: others see no more of its habits, and a reader
 * that asks all the time costs one write an hour. The row is apart from the head of the stream,
 * which each event locks, and from the agent, which posts share-lock.
 */
export const streamReads = `
CREATE TABLE stream_reads (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  read_at timestamptz NOT NULL
);
`;
