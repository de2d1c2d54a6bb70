/**
 * The transparency log: every act in one order that never changes, with what proves it. Nothing here is ever updated but the one row of
 * `log_state`, and nothing is ever deleted.
 */
export const log = `
CREATE TABLE log_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Name of the log and of its key, fixed when it is made.
  origin text NOT NULL,
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  -- Seed of the Ed25519 key, sealed under DATA_KEY where that is set.
  private_key bytea NOT NULL,
  sealed boolean NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  -- Hashes of the complete subtrees that make up the tree, the largest first: one for each bit of its size.
  frontier bytea NOT NULL CHECK (octet_length(frontier) % 32 = 0),
  -- Up to this act it was looked whether any is missing.
  swept_to uuid
);

CREATE TABLE log_entries (
  leaf_index bigint PRIMARY KEY CHECK (leaf_index >= 0),
  event_id uuid NOT NULL UNIQUE,
  entry bytea NOT NULL CHECK (octet_length(entry) = 32),
  -- Of a private act: without it nobody can tell which one it is.
  salt bytea CHECK (octet_length(salt) = 32)
);

-- Hashes of complete subtrees of 2^height entries. Every second of these heights is a level of tiles.
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

-- The stream of receipts of each agent; seq is one more than the place in the log.
CREATE TABLE portable_recipients (
  agent_id uuid NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  event_id uuid NOT NULL,
  PRIMARY KEY (agent_id, seq)
);
`;
