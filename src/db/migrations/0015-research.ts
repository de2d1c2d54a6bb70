/** Who agrees to be studied, and which datasets were asked for. No figure and no row of a dataset is kept. */
export const research = `
-- No row: the agent never said anything, and does not consent.
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
  -- Makes the pseudonyms of this one dataset; sealed where the installation has a DATA_KEY.
  pseudonym_key bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- The metrics ask for the messages of some days. Messages come in the order of time: a few bytes for each 128 pages find them.
CREATE INDEX messages_created ON messages USING brin (created_at) WITH (autosummarize = on);
`;
