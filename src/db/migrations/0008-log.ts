/**
 * The transparency log: every receipt in one order that never changes, with the hashes that prove
 * it. Only the one row of `log_state` is ever updated, and nothing is ever deleted.
 */
export const log = `
CREATE TABLE log_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- The name of the log and of its key, fixed when the log is created.
  origin text NOT NULL,
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  -- The seed of the Ed25519 key, encrypted with DATA_KEY if that is set.
  private_key bytea NOT NULL,
  sealed boolean NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  -- The hashes of the complete subtrees that make up the tree, the largest first: one for each set
  -- bit of its size.
  frontier bytea NOT NULL CHECK (octet_length(frontier) % 32 = 0),
  -- The last receipt up to which the log was checked for missing ones.
  swept_to uuid
);

CREATE TABLE log_entries (
  leaf_index bigint PRIMARY KEY CHECK (leaf_index >= 0),
  event_id uuid NOT NULL UNIQUE,
  entry bytea NOT NULL CHECK (octet_length(entry) = 32),
  -- The salt of a private receipt. Without it the entry does not reveal which receipt it is.
  salt bytea CHECK (octet_length(salt) = 32)
);

-- The hashes of complete subtrees of 2^height entries. Every second of these heights is a level of
-- tiles.
CREATE TABLE log_nodes (
  height smallint NOT NULL CHECK (height > 0 AND height % 4 = 0),
  node_index bigint NOT NULL CHECK (node_index >= 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (height, node_index)
);

-- Every tree that was ever published.
CREATE TABLE log_checkpoints (
  size bigint PRIMARY KEY CHECK (size >= 0),
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  signature bytea NOT NULL CHECK (octet_length(signature) = 64)
);

-- The receipt stream of each agent. seq is one more than the index in the log.
CREATE TABLE portable_recipients (
  agent_id uuid NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  event_id uuid NOT NULL,
  PRIMARY KEY (agent_id, seq)
);
`;
