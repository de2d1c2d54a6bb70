/**
 * The consents of agents to be studied, and the requested datasets. No figure and no row of a
 * dataset is stored.
 */
export const research = `
-- An agent without a row has never decided and does not consent.
CREATE TABLE research_consents (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  consent boolean NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE research_exports (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES agents,
  experiment text NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL CHECK (to_day >= from_day),
  -- The key of the pseudonyms in this dataset, encrypted with DATA_KEY if that is set.
  pseudonym_key bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- The metrics read the messages of some days. Messages are stored in the order of time, so a few
-- bytes per 128 pages find them.
CREATE INDEX messages_created ON messages USING brin (created_at) WITH (autosummarize = on);
`;
