/** Guest contexts: entries under keys that guests make themselves. Only a key's hash is kept. */
export const guestContext = `
CREATE TABLE guest_contexts (
  id uuid PRIMARY KEY,
  key_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(key_sha256) = 32),
  -- The highest version of all entries that are gone: what is made anew goes on above it.
  floor bigint NOT NULL DEFAULT 0 CHECK (floor >= 0),
  -- When there is next something to remove: the first entry that expires, or at once the context itself when it is empty.
  due_at timestamptz NOT NULL
);
CREATE INDEX guest_contexts_due ON guest_contexts (due_at);

CREATE TABLE guest_entries (
  context_id uuid NOT NULL REFERENCES guest_contexts,
  key text NOT NULL CHECK (key ~ '^[A-Za-z0-9._:-]{1,128}$'),
  -- RFC 8785 canonical JSON: the very bytes that are counted and hashed.
  value text NOT NULL,
  bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(key) + octet_length(value)) STORED,
  version bigint NOT NULL CHECK (version > 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (context_id, key),
  CHECK (created_at <= updated_at AND updated_at < expires_at)
);

-- The highest version of all contexts that are gone, in one row: a context that is made anew goes on above it as well.
CREATE TABLE guest_context_floor (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  floor bigint NOT NULL DEFAULT 0
);
INSERT INTO guest_context_floor DEFAULT VALUES;
`;
