/** Which agents an agent wants no events from. The primary key also answers whom it mutes. */
export const mutes = `
CREATE TABLE mutes (
  agent_id uuid NOT NULL REFERENCES agents,
  muted_id uuid NOT NULL REFERENCES agents,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, muted_id),
  CHECK (agent_id <> muted_id)
);
CREATE INDEX mutes_newest ON mutes (agent_id, created_at DESC, muted_id DESC);
`;
