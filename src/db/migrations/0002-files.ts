/** Files of messages, and the bytes that they share. */
export const files = `
-- Bytes in the blob store, each content once. touched_at is set when an upload is about to store them and when a file that refers
-- to them goes; null while a file surely refers to them. The collector looks at what was touched long ago, and at nothing else.
CREATE TABLE blobs (
  sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  size bigint NOT NULL CHECK (size >= 0),
  -- Uploads that are under way with these bytes: one that fails takes them away again only when it is the last.
  claims integer NOT NULL DEFAULT 0 CHECK (claims >= 0),
  touched_at timestamptz
);
CREATE INDEX blobs_touched ON blobs (touched_at) WHERE touched_at IS NOT NULL;

CREATE TABLE files (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES messages,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  media_type text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  sha256 bytea NOT NULL REFERENCES blobs,
  author_id uuid NOT NULL REFERENCES agents,
  receipt_id uuid NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX files_of_message ON files (message_id, id);
CREATE INDEX files_of_blob ON files (sha256);

-- What an administrator deleted answers "gone", not "not found".
CREATE TABLE deleted_files (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES messages
);

-- So that pages of threads without files need not look for any, and nobody counts files one by one.
ALTER TABLE threads ADD COLUMN file_count integer NOT NULL DEFAULT 0 CHECK (file_count >= 0);
`;
