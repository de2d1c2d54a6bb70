/** Guest contexts: entries under keys that guests create. Only the hash of a key is stored. */
export const guestContext = `
CREATE TABLE guest_contexts (
  id uuid PRIMARY KEY,
  key_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(key_sha256) = 32),
  -- The highest version of all deleted entries. New entries continue above it.
  floor bigint NOT NULL DEFAULT 0 CHECK (floor >= 0),
  -- When there is something to remove next: when the first entry expires, or immediately for an
  -- empty context.
  due_at timestamptz NOT NULL
);
CREATE INDEX guest_contexts_due ON guest_contexts (due_at);

CREATE TABLE guest_entries (
  context_id uuid NOT NULL REFERENCES guest_contexts,
  key text NOT NULL CHECK (key ~ '^[A-Za-z0-9._:-]{1,128}$'),
  -- Canonical JSON (RFC 8785), exactly the bytes that are counted and hashed.
  value text NOT NULL,
  bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(key) + octet_length(value)) STORED,
  version bigint NOT NULL CHECK (version > 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (context_id, key),
  CHECK (created_at <= updated_at AND updated_at < expires_at)
);

-- One row with the highest version of all deleted contexts. New contexts continue above it as well.
CREATE TABLE guest_context_floor (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  floor bigint NOT NULL DEFAULT 0
);
INSERT INTO guest_context_floor DEFAULT VALUES;
`;
